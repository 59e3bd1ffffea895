import type { Resume } from '../../protocol/stream/client-messages.ts'
import type { Channel } from './channel.ts'
import type { HubCommit } from './hub-feed.ts'
import type { TopicEvent } from './sources/topic-source.ts'

/** Retained commits of a table. */
export type Retained = {
  readonly epoch: string
  readonly commits: readonly HubCommit[]
  /** Seq of the last row. */
  readonly head: number
  /** Seq of the last row that the channel may publish; null: unknown. */
  readonly last: number | null
  /** Seq of the last row before a commit; null: unknown. */
  readonly headBefore: (commit: HubCommit) => number | null
}

/** Reply to a client that resumes: the messages it missed, or the reason why they are not all available. */
export type Replay =
  | { readonly mode: 'resumed'; readonly events: readonly TopicEvent[] }
  | { readonly mode: 'gap'; readonly reason: 'retention' | 'epoch_changed' }
  | { readonly mode: 'snapshot' }

/**
 * Returns the messages of a channel after a seq, in order. They are complete if nothing was published after it, if every later
 * commit is retained, or if the channel's first retained message follows it directly. For a topic of whole states, a snapshot is
 * equivalent.
 */
export function replayOf(channel: Channel, { epoch, after_seq }: Resume, retained: Retained): Replay {
  if (epoch !== retained.epoch) return { mode: 'gap', reason: 'epoch_changed' }
  if (!channel.source.topic.chained) return { mode: 'snapshot' }
  if (after_seq >= (retained.last ?? retained.head)) return { mode: 'resumed', events: [] }
  const wanted = (key: readonly string[]) => channel.key.every((value, at) => value === key[at])
  const kept = retained.commits.flatMap((commit) => {
    const before = retained.headBefore(commit)
    return channel.source.eventsOf(commit, before ?? commit.rows[0]!.seq - 1, wanted)
  })
  const first = retained.commits[0]
  const kept_after = first === undefined ? retained.head : (retained.headBefore(first) ?? first.rows[0]!.seq)
  const follows = kept[0] !== undefined && kept[0].prev_seq[channel.key.length]! <= after_seq
  if (after_seq < kept_after && !follows) return { mode: 'gap', reason: 'retention' }
  return { mode: 'resumed', events: kept.filter(({ seq }) => seq > after_seq) }
}
