import { escapeHtml } from '../../primitives/escape-html.ts'
import { guideName, guidePathOf, readDocument, siteTarget } from './guide-files.ts'
import { page } from './html.ts'
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts'

const rendered = new Map<string, RenderedMarkdown>()

/** Returns a guide as HTML; each is rendered once. @param path  of the document in the project */
export function renderedGuide(path: string): RenderedMarkdown {
  const before = rendered.get(path)
  if (before !== undefined) return before
  const made = renderMarkdown(readDocument(path), (link) => siteTarget(path, link))
  rendered.set(path, made)
  return made
}

/** Sections that a page must have to get a list of contents. */
const CONTENTS_FROM = 4
/** Most entries of a list of contents: a longer page is searched. */
const CONTENTS_MAX = 60

/** Renders /docs/guides/{name}; null: there is no such guide. */
export function guidePage(name: string): string | null {
  const path = guidePathOf(name)
  if (path === null) return null
  const { title, html, sections } = renderedGuide(path)
  const headings = sections.filter(({ level }) => level === 2)
  const links = headings.map(
    ({ anchor, title: label }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(label)}</a></li>`,
  )
  const has_contents = links.length >= CONTENTS_FROM && links.length <= CONTENTS_MAX
  const contents = has_contents
    ? `<details class="contents"><summary>On this page</summary><ul>${links.join('')}</ul></details>`
    : ''
  return page(title, `${contents}${html}`, { at: `/docs/guides/${guideName(path)}` })
}
