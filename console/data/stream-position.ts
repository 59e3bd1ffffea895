/** Where a subscription stands in the numbering of its messages. */
export type Position = { readonly epoch: string; readonly seq: number }

/** What a data message is to a client at a position: to be taken, known already, or a sign that others are missing. */
export type Verdict = 'take' | 'repetition' | 'missing'

/**
 * The rule of protocol/stream: a snapshot replaces what the client has; an event at or before the position is a repetition; on a
 * chained topic one that does not follow the position says that messages are missing.
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
