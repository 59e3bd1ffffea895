import { escapeHtml } from '../../primitives/escape-html.ts'
import { guideGroups } from './guide-groups.ts'
import { page } from './html.ts'
import { inlineMarkdown, table } from './html-parts.ts'
import { START_PAGES } from './sidebar.ts'

/** Renders /docs: first pages by reader, then every guide. */
export function homePage(): string {
  const groups = guideGroups().map(({ title, entries }) => {
    const rows = entries.map(({ href, label, about }) => [linkTo(href, label), inlineMarkdown(about)])
    return `<h2>${escapeHtml(title)}</h2>${table(['page', 'what it covers'], rows)}`
  })
  const starts = START_PAGES.map(
    ({ href, label, about }) =>
      `<li><a href="${href}"><strong>${escapeHtml(label)}</strong><span>${escapeHtml(about)}</span></a></li>`,
  )
  const reference = `<h2>Reference</h2><p><a href="/docs/api">HTTP API</a>: each operation with an example and a form to try it ·
<a href="/docs/stream">Stream</a> · <a href="/docs/errors">Errors</a> · <a href="/docs/guides/limits">Limits</a> · <a href="/docs/guides/cli">Command line</a></p>`
  return page('Documentation', `<ul class="cards">${starts.join('')}</ul>${reference}${groups.join('\n')}`, {
    at: '/docs',
  })
}

function linkTo(href: string, label: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}
