import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'

/**
 * Time without a word of a token after which its book is read again. Reads follow every 10 s (feed-plan.ts), so a standing book is
 * confirmed well within the 60 s after which it counts as old.
 */
const QUIET_AFTER: Micros = 20 * MICROS_PER_SECOND

const ASSET = /"asset_id"\s*:\s*"(\d+)"/g

/** Tokens without a recent message or read. */
export type QuietTokens = {
  /** Notes a message of the stream, whatever it says about its tokens. */
  message(text: string): void
  /** Notes that a token's book was read. */
  heard(token: string): void
  /** Returns those of some tokens that are quiet now, in their order. */
  among(tokens: readonly string[]): readonly string[]
}

/** Creates a memory of when tokens were last heard of. */
export function createQuietTokens(now: () => Micros): QuietTokens {
  const heard_at = new Map<string, Micros>()
  const heard = (token: string) => void heard_at.set(token, now())
  return {
    heard,
    message: (text) => {
      for (const [, token] of text.matchAll(ASSET)) heard(token!)
    },
    among: (tokens) => {
      const before = now() - QUIET_AFTER
      return tokens.filter((token) => (heard_at.get(token) ?? Number.NEGATIVE_INFINITY) <= before)
    },
  }
}
