// The documents as a site, in target/site. Its shelves are those of docs/README.md.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const root = resolve(import.meta.dirname, '../../..')
const modules = resolve(import.meta.dirname, '../node_modules')
const output = join(root, 'target/site')
const javadoc = { text: 'Javadoc', link: '/api/index.html', target: '_self' }

/** Links to files that are no pages, such as sources: they are copied. */
const files = new Set()

/** As GitHub names a heading. */
const slugify = (heading) =>
  heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

const shelves = readFileSync(join(root, 'docs/README.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((shelf) => ({
    text: shelf.split('\n', 1)[0],
    items: [...shelf.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(([, text, page]) =>
      text === javadoc.text
        ? javadoc
        : { text, link: '/' + posix.join('docs', page).replace(/\.md\b/, '') }
    )
  }))

function configure(md) {
  copyLinkedFiles(md)
  breakNames(md)
}

/** Lets a narrow table break code behind a dot or a parenthesis. */
function breakNames(md) {
  const render = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...all) => render(...all).replace(/[.(](?=\w)/g, '$&<wbr>')
}

function copyLinkedFiles(md) {
  const render = md.renderer.rules.link_open
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const href = tokens[i].attrGet('href')
    if (!/^([a-z]+:|#)/.test(href) && !/\.md(#|$)/.test(href)) {
      const file = resolve(dirname(env.realPath ?? env.path), href)
      files.add(relative(root, file))
      tokens[i].attrSet('target', '_self')
      tokens[i].attrSet('href', '/' + relative(root, file))
    }
    if (/^docs\/README\.md/.test(href)) {
      tokens[i].attrSet('href', href.replace('README', 'index'))
    }
    return render(tokens, i, options, env, self)
  }
}

/** The pages as they are, with all that they link to. */
function checkLinks() {
  const pages = readdirSync(output, { recursive: true })
    .filter((name) => name.endsWith('.html') && !name.startsWith('api/') && name !== '404.html')
  const read = (page) => readFileSync(join(output, page), 'utf8')
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/<(?:a|img)\b[^>]*?(?:href|src)="([^":]+)"/g)]
      .map(([, link]) => link)
      .filter((link) => {
        const [path, anchor] = decodeURIComponent(link).split('#')
        const target = path ? join(path.startsWith('/') ? '.' : dirname(page), path) : page
        return !existsSync(join(output, target)) ||
          (anchor && pages.includes(target) && !read(target).includes(`id="${anchor}"`))
      })
      .map((link) => `${page}: ${link}`))
  if (broken.length > 0) {
    throw new Error('broken links:\n' + broken.join('\n'))
  }
}

/** A line of Java has 100 characters. A table breaks long names rather than hides its end. */
const style = `
  .VPDoc.has-aside .content-container { max-width: 880px !important; }
  .vp-doc [class*='language-'] code { font-size: 13px; }
  .vp-doc :is(td, th) { padding: 6px 8px; }
  .vp-doc td code { padding: 1px 2px; font-size: 12px; }
  @media (max-width: 768px) { .vp-doc td code { overflow-wrap: anywhere; } }`

const isPagesFolder = (name) => ['docs', 'benchmarks'].includes(name)

export default defineConfig({
  title: 'Rondo',
  description: 'A cooperative scheduler for Java 25',
  head: [['style', {}, style]],
  srcDir: '../..',
  outDir: output,
  cacheDir: join(root, 'target/site-cache'),
  srcExclude: [
    ...readdirSync(root, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !isPagesFolder(each.name))
      .map((each) => each.name + '/**'),
    'benchmarks/{src,target}/**',
    'docs/.site/**'
  ],
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  cleanUrls: false,
  markdown: { anchor: { slugify }, config: configure },
  vite: {
    resolve: {
      alias: [ // pages are above the folder of node_modules
        { find: /^vue\/server-renderer$/, replacement: join(modules, 'vue/server-renderer/index.mjs') },
        { find: /^vue$/, replacement: join(modules, 'vue/dist/vue.runtime.esm-bundler.js') }
      ]
    }
  },
  themeConfig: {
    nav: [...shelves.map((shelf) => ({ text: shelf.text, link: shelf.items[0].link })), javadoc],
    sidebar: shelves,
    outline: [2, 3],
    search: { provider: 'local' }
  },
  buildEnd() {
    const api = join(root, 'target/apidocs')
    if (!existsSync(api)) {
      throw new Error(`${api} is missing: npm run api makes it`)
    }
    cpSync(api, join(output, 'api'), { recursive: true })
    for (const file of files) {
      mkdirSync(dirname(join(output, file)), { recursive: true })
      cpSync(join(root, file), join(output, file), { recursive: true })
    }
    checkLinks()
  }
})
