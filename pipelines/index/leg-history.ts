import type { Micros } from '../../primitives/instants.ts'
import type { Mark } from '../market/mark.ts'
import type { MarkHistory } from '../market/outcome.ts'

/**
 * Returns the marks of a history that can still be needed: the newest one (M7), and for each instant that can freeze the leg the
 * last one before it. Returns the history itself if nothing can be dropped.
 * @param instants every instant known to freeze the leg
 */
export function trimHistory(history: MarkHistory, instants: readonly Micros[]): MarkHistory {
  const nodes = marksOf(history)
  const needed = new Set<Mark | undefined>(nodes.slice(0, 1))
  for (const instant of instants) needed.add(nodes.find((mark) => mark.source_at < instant))
  return nodes.every((mark) => needed.has(mark)) ? history : historyOf(nodes.filter((mark) => needed.has(mark)))
}

/** Inserts an earlier mark into a history, in the order in which marks were formed. */
export function insertEarlier(history: MarkHistory, mark: Mark): MarkHistory {
  const nodes = marksOf(history)
  const ordinal = nodes.findIndex((known) => known.cutoff_at <= mark.cutoff_at)
  if (ordinal >= 0 && nodes[ordinal]!.cutoff_at === mark.cutoff_at) return history
  return historyOf(ordinal < 0 ? [...nodes, mark] : nodes.toSpliced(ordinal, 0, mark))
}

/** Returns the marks of a history, newest first. */
export function marksOf(history: MarkHistory): Mark[] {
  const marks: Mark[] = []
  for (let node = history; node !== null; node = node.earlier) marks.push(node.mark)
  return marks
}

/** Builds a history from marks, newest first. */
export function historyOf(marks: readonly Mark[]): MarkHistory {
  return marks.toReversed().reduce<MarkHistory>((earlier, mark) => ({ mark, earlier }), null)
}
