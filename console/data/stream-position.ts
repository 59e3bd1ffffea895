/** Cursor of a subscription in the numbering of its messages. */
export type Position = { readonly epoch: string; readonly seq: number }

/** Meaning of a data message at a cursor: new, already known, or a sign of missing messages. */
export type Verdict = 'take' | 'repetition' | 'missing'

/**
 * Applies the rule of protocol/stream: a snapshot replaces the client's state, an event at or before the cursor is a repetition, and on a
 * chained topic an event that does not follow the cursor means that messages are missing.
 */
export function judge(
  position: Position,
  message: {
    readonly type: 'snapshot' | 'event'
    readonly epoch: string
    readonly prev_seq: number
    readonly seq: number
  },
  chained: boolean,
): Verdict {
  if (message.type === 'snapshot') return 'take'
  if (message.epoch !== position.epoch) return 'missing'
  if (message.seq <= position.seq) return 'repetition'
  return chained && message.prev_seq > position.seq ? 'missing' : 'take'
}
