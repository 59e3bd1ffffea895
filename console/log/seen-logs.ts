import { fromBase64, toBase64 } from './bytes.ts'
import type { TreeHead } from './merkle-tree.ts'

/** Remembered log: its key, and the last head that was verified. */
type SeenLog = {
  readonly origin: string
  readonly vkey: string
  readonly head: TreeHead
  readonly seen_ms: number
}

/** The used part of the browser's storage. */
export type KeptTexts = {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, text: string) => void
}

const NAME = 'tidemark.seen-logs'
/** Logs that are remembered; the one that was verified longest ago makes room. */
const SEEN_LOGS_MAX = 8
/** Longest text that is read back. */
const TEXT_MAX = 20_000

/** Memory of verified logs in this browser. */
export type SeenLogs = {
  readonly of: (origin: string) => SeenLog | null
  /** Returns false where the browser keeps nothing. */
  readonly keep: (log: SeenLog) => boolean
}

/** Creates the memory. A text that another program has damaged counts as none. */
export function seenLogs(texts: KeptTexts): SeenLogs {
  const all = () => parseSeen(texts)
  return {
    of: (origin) => all().find((log) => log.origin === origin) ?? null,
    keep(log) {
      const others = all().filter(({ origin }) => origin !== log.origin)
      const newest = [log, ...others].sort((a, b) => b.seen_ms - a.seen_ms).slice(0, SEEN_LOGS_MAX)
      const kept = newest.map(({ head, ...one }) => ({ ...one, size: head.size, root: toBase64(head.root) }))
      try {
        texts.setItem(NAME, JSON.stringify(kept))
        return true
      } catch {
        return false
      }
    },
  }
}

function parseSeen(texts: KeptTexts): readonly SeenLog[] {
  try {
    const text = texts.getItem(NAME) ?? '[]'
    const kept: unknown = text.length > TEXT_MAX ? [] : JSON.parse(text)
    return Array.isArray(kept) ? kept.flatMap(seenOf).slice(0, SEEN_LOGS_MAX) : []
  } catch {
    return []
  }
}

function seenOf(kept: unknown): SeenLog[] {
  const { origin, vkey, size, root, seen_ms } = (kept ?? {}) as Record<string, unknown>
  const bytes = typeof root === 'string' ? fromBase64(root) : null
  const is_whole =
    typeof origin === 'string' && typeof vkey === 'string' && Number.isSafeInteger(size) && Number.isFinite(seen_ms)
  return is_whole && bytes !== null
    ? [{ origin, vkey, head: { size: size as number, root: bytes }, seen_ms: seen_ms as number }]
    : []
}
