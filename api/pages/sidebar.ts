import { escapeHtml } from '../../primitives/escape-html.ts'
import { PRIVATE_TOPIC_NAMES } from '../../protocol/stream/private-topics.ts'
import { TOPIC_NAMES } from '../../protocol/stream/topics.ts'
import { type GuideEntry, guideGroups } from './guide-groups.ts'
import { operationsByTag } from './operations.ts'

type Link = Pick<GuideEntry, 'href' | 'label'>

/** First pages, by what a reader is. */
export const START_PAGES: readonly GuideEntry[] = [
  { href: '/docs/guides/start/quant', label: 'Quant', about: 'research without look-ahead' },
  { href: '/docs/guides/start/index-committee', label: 'Index committee', about: 'replay, compare, correct' },
  { href: '/docs/guides/start/api-trader', label: 'API trader', about: 'your first signed order' },
  { href: '/docs/guides/start/operator', label: 'Operator', about: 'run it' },
  { href: '/docs/guides/start/as-of', label: 'as_of in ten minutes', about: 'ask what was known at an instant' },
  { href: '/docs/guides/start/reconcile', label: 'Reconcile an account', about: 'prove a balance from its entries' },
  { href: '/docs/guides/start/for-real', label: 'Run it for real', about: 'real venues, Postgres, Temporal, backups' },
]

/** Renders the links of all pages. Operations are listed for the tag of the current page alone. @param at  path of the page */
export function sidebar(at: string): string {
  const groups = guideGroups().map(({ title, entries }) => group(title, entries, at))
  return [
    group('Start here', START_PAGES, at, at === '/docs'),
    ...groups,
    `<h2 class="side-title"><a href="/docs/api"${current('/docs/api', at)}>HTTP API</a></h2>`,
    ...[...operationsByTag()].map(([tag, of_tag]) => {
      const links = of_tag.map(({ operation_id, summary }) => ({ href: `/docs/api/${operation_id}`, label: summary }))
      if (links.some(({ href }) => href === at)) return group(tag, links, at)
      return `<p class="side-tag"><a href="/docs/api#${tagAnchor(tag)}">${escapeHtml(tag)}</a></p>`
    }),
    `<h2 class="side-title"><a href="/docs/stream"${current('/docs/stream', at)}>Stream</a></h2>`,
    group('Topics', topicLinks(), at),
    `<h2 class="side-title"><a href="/docs/errors"${current('/docs/errors', at)}>Errors</a></h2>`,
  ].join('\n')
}

/** Returns the anchor of a tag on /docs/api. */
export function tagAnchor(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

function topicLinks(): readonly Link[] {
  return [...TOPIC_NAMES, ...PRIVATE_TOPIC_NAMES].map((topic) => ({ href: `/docs/stream/${topic}`, label: topic }))
}

function group(title: string, links: readonly Link[], at: string, is_open = false): string {
  const has_current = links.some(({ href }) => href === at)
  const items = links.map(
    ({ href, label }) => `<li><a href="${escapeHtml(href)}"${current(href, at)}>${escapeHtml(label)}</a></li>`,
  )
  return `<details${has_current || is_open ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`
}

function current(href: string, at: string): string {
  return href === at ? ' aria-current="page"' : ''
}
