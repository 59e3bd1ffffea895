import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml'

/** Part of a document that a path leads to. */
type Step = { readonly node: unknown; readonly rest: string; readonly offset: number | null }

/**
 * Returns the finder of lines of a document: of a path such as `versions[2].constituents[0].legs`, or of its nearest part that is
 * written. An item of a list is named by its ordinal, its version or its constituent_id; `#1` is an ordinal alone.
 */
export function lineFinder(document: Document, lines: LineCounter): (path: string) => number | null {
  return (path) => {
    let found: Step = { node: document.contents, rest: path, offset: null }
    for (let step = nextStep(found); step !== null; step = nextStep(found)) found = step
    return found.offset === null ? null : lines.linePos(found.offset).line
  }
}

function nextStep({ node, rest }: Step): Step | null {
  if (isMap(node)) return memberOf(node.items, rest.replace(/^\./, ''))
  return isSeq(node) ? itemOf(node.items, rest) : null
}

/** Names of parameters have dots, so the longest key that the path begins with is meant. */
function memberOf(pairs: readonly { readonly key: unknown; readonly value: unknown }[], path: string): Step | null {
  const [longest] = pairs
    .map(({ key, value }) => ({ key, value, name: isScalar(key) ? String(key.value) : '' }))
    .filter(({ name }) => name !== '' && path.startsWith(name) && /^($|[.[ ])/.test(path.slice(name.length)))
    .sort((a, b) => b.name.length - a.name.length)
  if (longest === undefined) return null
  return { node: longest.value, rest: path.slice(longest.name.length), offset: offsetOf(longest.key) }
}

function itemOf(items: readonly unknown[], path: string): Step | null {
  const [written, name] = /^\[([^\]]*)\]/.exec(path) ?? []
  if (written === undefined) return null
  const named = items.find((item) => isMap(item) && NAMES.some((key) => item.get(key) === name))
  const node = named ?? items[Number(name?.replace(/^#/, ''))]
  return node === undefined ? null : { node, rest: path.slice(written.length), offset: offsetOf(node) }
}

/** Keys by which messages name the items of a list. */
const NAMES = ['version', 'constituent_id']

function offsetOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
