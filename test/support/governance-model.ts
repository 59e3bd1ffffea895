import type { Micros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'

const HOUR = 3600 * 1_000_000
const DAY = 24 * HOUR

/** People of the model: committee, oversight, somebody of both, an administrator and runners. */
export type Name = 'c1' | 'c2' | 'c3' | 'o1' | 'both' | 'a1' | 'r1' | 'r2'

export type Status = 'active' | 'suspended' | 'archived'

/** Facts of a proposal as the model keeps them: plain lists of what was accepted. */
export type Told = {
  readonly kind: 'version' | 'adoption' | 'status' | 'cessation'
  /** Index, or its status. */
  readonly index: string
  /** Status that a change of status gives. */
  readonly gives: Status | null
  readonly base: string | null
  readonly head: string
  readonly by: Name
  readonly at: Micros
  readonly start: Micros
  readonly need: { readonly committee: number; readonly oversight: number }
  readonly times: { readonly comment: Micros; readonly vote: Micros; readonly notice: Micros }
  readonly is_emergency: boolean
  readonly says: Map<Name, { readonly choice: 'approve' | 'dissent'; readonly key: string; readonly at: Micros }>
  readonly ratified: Map<Name, { readonly key: string; readonly at: Micros }>
  readonly recused: Set<Name>
  state: string
  end_of_vote: Micros
  is_longer: boolean
  effective_at: Micros | null
  lapses_at: Micros | null
}

/**
 * The rules of governance, told again in another way: instant by instant, with lists of what people said, and without the code of
 * pipelines/governance. It knows versions, adoptions, statuses and ends of indexes, revoked keys, expired rosters and policies.
 */
export class GovernanceModel {
  readonly proposals = new Map<string, Told>()
  readonly heads = new Map<string, string | null>()
  readonly statuses = new Map<string, Status>()
  /** Changes in force of each record, one on another. One that lapses is taken out, wherever it lies. */
  readonly piles = new Map<string, Told[]>()
  /** Version that lies under each pile. */
  readonly under = new Map<string, string | null>()
  readonly revoked = new Map<string, Micros>()
  readonly roster_ends: Micros
  readonly policy_ends: Micros

  constructor(ends: { readonly roster: Micros; readonly policy: Micros }) {
    this.roster_ends = ends.roster
    this.policy_ends = ends.policy
  }

  /** Revokes a key from an instant on, which may have passed. */
  revoke(key: string, at: Micros): void {
    this.revoked.set(key, Math.min(at, this.revoked.get(key) ?? at))
  }

  /** Whether somebody with a key may act at all. */
  isAble(key: string, at: Micros): boolean {
    return at < this.roster_ends && at < this.policy_ends && at < (this.revoked.get(key) ?? Number.POSITIVE_INFINITY)
  }

  /** Whether these sayings have the signatures: everybody in one role. */
  has(need: Told['need'], names: readonly Name[]): boolean {
    const seats = (with_both_as: RosterRole) => ({
      committee: names.filter((n) => n.startsWith('c') || (n === 'both' && with_both_as === 'committee')).length,
      oversight: names.filter((n) => n === 'o1' || (n === 'both' && with_both_as === 'oversight')).length,
    })
    return (['committee', 'oversight'] as const).some((role) => {
      const { committee, oversight } = seats(role)
      return committee >= need.committee && oversight >= need.oversight
    })
  }

  valid<V extends { readonly key: string; readonly at: Micros }>(said: ReadonlyMap<Name, V>): [Name, V][] {
    return [...said].filter(([, { key, at }]) => at < (this.revoked.get(key) ?? Number.POSITIVE_INFINITY))
  }

  carried(told: Told): boolean {
    const said = this.valid(told.says)
    const [yes, no] = (['approve', 'dissent'] as const).map((c) =>
      said.filter(([, v]) => v.choice === c).map(([n]) => n),
    )
    return yes!.length > no!.length && this.has(told.need, yes!)
  }

  isBased({ index, base }: Told): boolean {
    return (this.heads.get(index) ?? null) === base
  }

  /** Moves everything that is due at an instant, what was due first before the rest, until nothing is. */
  settle(at: Micros): void {
    for (;;) {
      const due = [...this.proposals].flatMap(([id, told]) => {
        const next = this.#next(told, at)
        return next === null || next.since > at ? [] : [{ ...next, id, told }]
      })
      const first = due.sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))[0]
      if (first === undefined) return
      const { told, to } = first
      told.state = to
      if (to === 'queued') told.effective_at = at + told.times.notice
      const of = told.index.split(':')[0]!
      const pile = this.piles.get(told.index) ?? []
      if (to === 'lapsed') {
        pile.splice(pile.indexOf(told), 1)
        const top = pile.at(-1)
        this.heads.set(told.index, top?.head ?? this.under.get(told.index)!)
        if (told.gives !== null) this.statuses.set(of, top?.gives ?? 'active')
      }
      if (to === 'effective') {
        if (!this.under.has(told.index)) this.under.set(told.index, this.heads.get(told.index) ?? null)
        this.piles.set(told.index, [...pile, told])
        this.heads.set(told.index, told.head)
        if (told.gives !== null) this.statuses.set(of, told.gives)
      }
      if (to === 'effective' && told.is_emergency) told.lapses_at = at + 72 * HOUR
    }
  }

  /** Reports whether a change must begin after its notice: a version, and a status that is no emergency. */
  hasStart({ kind, is_emergency }: Told): boolean {
    return kind === 'version' || (kind !== 'adoption' && !is_emergency)
  }

  /** Next state of a proposal that no person decides, and since when it is due. */
  #next(told: Told, at: Micros): { readonly to: string; readonly since: Micros } | null {
    const dies_at = told.at + 90 * DAY
    if (told.state === 'effective') return told.lapses_at === null ? null : { to: 'lapsed', since: told.lapses_at }
    if (!['proposed', 'consulting', 'approved', 'queued'].includes(told.state)) return null
    if (!this.isBased(told)) return { to: 'expired', since: told.at }
    if (told.state === 'approved')
      return {
        to: this.hasStart(told) && told.start < at + told.times.notice ? 'expired' : 'queued',
        since: told.at,
      }
    if (told.state === 'queued') {
      const since = told.gives === null ? told.effective_at! : Math.max(told.effective_at!, told.start)
      if (dies_at <= since) return { to: 'expired', since: dies_at }
      const is_open = told.kind !== 'version' || (told.start >= at && this.statuses.get(told.index) !== 'archived')
      const is_whole = this.carried(told) && is_open
      return { to: is_whole ? 'effective' : 'expired', since }
    }
    const since = Math.max(told.at + told.times.comment, told.end_of_vote)
    if (dies_at <= since) return { to: 'expired', since: dies_at }
    if (this.carried(told)) return { to: 'approved', since }
    if (told.times.vote === 0) return { to: 'expired', since: dies_at }
    const said = this.valid(told.says)
    const no = said.filter(([, { choice }]) => choice === 'dissent').length
    return { to: no > 0 && no >= said.length - no ? 'rejected' : 'expired', since }
  }
}
