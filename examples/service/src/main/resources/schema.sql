create table if not exists orders (number int primary key);
create table if not exists outbox (number int primary key);
