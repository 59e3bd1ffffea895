import { once } from '../../primitives/once.ts'
import { readDocument, siteTarget } from './guide-files.ts'

/** A guide as the sidebar and the first page name it. */
export type GuideEntry = { readonly href: string; readonly label: string; readonly about: string }
/** Guides for one kind of reader. */
export type GuideGroup = { readonly title: string; readonly entries: readonly GuideEntry[] }

/** Page of all documents, whose tables are the sidebar's groups. */
const OVERVIEW = 'docs/README.md'

/** Returns the guides by reader, as docs/README.md lists them. */
export const guideGroups = once((): readonly GuideGroup[] => {
  const [, ...parts] = readDocument(OVERVIEW).split(/^## /m)
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { title, entries: lines.filter((line) => line.startsWith('| [')).flatMap(entriesOf) }
  })
})

/** Reads the links of a row; what the row says is about each of them. */
function entriesOf(row: string): readonly GuideEntry[] {
  const [, , about = ''] = row.split(/(?<!\\)\|/)
  const links = [...row.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
  return links.flatMap(([, label = '', link = '']) => {
    const href = siteTarget(OVERVIEW, link)
    return href === null ? [] : [{ href, label: labelOf(label), about: about.trim() }]
  })
}

/** Words that are not written as the names of files have them. */
const WRITTEN: Readonly<Record<string, string>> = {
  api: 'API',
  cli: 'command line',
  openapi: 'OpenAPI',
  asyncapi: 'AsyncAPI',
}

/** Returns the label of a guide: its name in words. */
function labelOf(label: string): string {
  const words = label
    .replace(/\.(md|json)$/, '')
    .replace(/^[a-z]+\/(?=.)/, '')
    .replace(/\/$/, '')
    .split('-')
    .map((word) => WRITTEN[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
