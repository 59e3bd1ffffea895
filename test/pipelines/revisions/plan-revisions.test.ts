import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Decision,
  inCommitOrder,
  type KnownRevision,
  planRevisions,
  type RevisionRule,
} from '../../../pipelines/revisions/plan-revisions.ts'

type Item = { readonly chain: string; readonly received_at: number; readonly line: number; readonly value: string }

const RULE: RevisionRule<Item> = {
  chainOf: (item) => item.chain,
  idOf: (item) => `${item.chain}@${item.received_at}`,
  factsOf: (item) => ({ kind: 'open', content: item.value }),
  reasonOf: (previous, next) => `${previous.content}>${next.content}`,
}

/** A warehouse in miniature: imports items and keeps what was decided. */
class Store {
  readonly chains = new Map<string, KnownRevision[]>()
  readonly rows: { item: Item; decision: Decision }[] = []

  /** Plans all items, stores the first `stored` of the new ones. */
  import(items: readonly Item[], stored = Number.POSITIVE_INFINITY): Decision[] {
    const sorted = inCommitOrder(items)
    const decisions = planRevisions(sorted, sorted.map(RULE.chainOf), this.chains, RULE)
    const fresh = sorted.flatMap((item, n) => {
      const decision = decisions[n]!
      return typeof decision === 'string' ? [] : [{ item, decision }]
    })
    for (const { item, decision } of fresh.slice(0, stored)) {
      const known = { id: RULE.idOf(item), received_at: item.received_at, ...RULE.factsOf(item) }
      this.chains.set(item.chain, [...(this.chains.get(item.chain) ?? []), { ...known, revision: decision.revision }])
      this.rows.push({ item, decision })
    }
    return decisions
  }
}

const items = (rows: readonly (readonly [string, number, string])[]): Item[] =>
  rows.map(([chain, received_at, value], n) => ({ chain, received_at, value, line: n + 2 }))

describe('one import', () => {
  test('numbers revisions by received_at, whatever the order of the lines', () => {
    const sorted = inCommitOrder(
      items([
        ['a', 30, 'z'],
        ['a', 10, 'x'],
        ['b', 10, 'q'],
        ['a', 20, 'y'],
      ]),
    )
    expect(sorted.map((item) => RULE.idOf(item))).toEqual(['a@10', 'b@10', 'a@20', 'a@30'])
    expect(planRevisions(sorted, sorted.map(RULE.chainOf), new Map(), RULE)).toEqual([
      { revision: 1, supersedes_id: null, correction_reason: null },
      { revision: 1, supersedes_id: null, correction_reason: null },
      { revision: 2, supersedes_id: 'a@10', correction_reason: 'x>y' },
      { revision: 3, supersedes_id: 'a@20', correction_reason: 'y>z' },
    ])
  })

  test('an equal line of one key is a duplicate, another value a conflict that the earlier line wins', () => {
    const decisions = new Store().import(
      items([
        ['a', 10, 'x'],
        ['a', 10, 'x'],
        ['a', 10, 'y'],
        ['a', 11, 'y'],
      ]),
    )
    expect(decisions.map((d) => (typeof d === 'string' ? d : d.revision))).toEqual([1, 'duplicate', 'conflict', 2])
  })
})

describe('later imports', () => {
  test('a row older than the current one takes the next number, supersedes nothing and stays behind', () => {
    const store = new Store()
    store.import(
      items([
        ['a', 10, 'x'],
        ['a', 30, 'z'],
      ]),
    )
    expect(
      store.import(
        items([
          ['a', 20, 'y'],
          ['a', 25, 'w'],
          ['a', 40, 'v'],
        ]),
      ),
    ).toEqual([
      { revision: 3, supersedes_id: null, correction_reason: null },
      { revision: 4, supersedes_id: null, correction_reason: null },
      { revision: 5, supersedes_id: 'a@30', correction_reason: 'z>v' },
    ])
  })

  test('stored keys are duplicates or conflicts too', () => {
    const store = new Store()
    store.import(
      items([
        ['a', 10, 'x'],
        ['a', 20, 'y'],
      ]),
    )
    expect(
      store.import(
        items([
          ['a', 10, 'x'],
          ['a', 20, 'x'],
          ['a', 20, 'y'],
        ]),
      ),
    ).toEqual(['duplicate', 'conflict', 'duplicate'])
  })
})

const item = fc.record({
  chain: fc.constantFrom('a', 'b', 'c'),
  received_at: fc.integer({ min: 1, max: 8 }),
  value: fc.constantFrom('x', 'y'),
})
const archive = fc.array(item, { maxLength: 30 }).map((rows) => rows.map((row, n) => ({ ...row, line: n + 2 })))

describe('properties', () => {
  test('an import ended after any commit and repeated ends in the rows of one that was not', () => {
    fc.assert(
      fc.property(archive, fc.array(fc.nat({ max: 12 }), { maxLength: 4 }), (rows, ends) => {
        const whole = new Store()
        whole.import(rows)
        const broken = new Store()
        for (const end of ends) broken.import(rows, end)
        broken.import(rows)
        expect(broken.rows).toEqual(whole.rows)
        const again = broken.import(rows)
        expect(again.every((decision) => typeof decision === 'string')).toBe(true)
      }),
    )
  })

  test('any sequence of imports gives chains numbered without gaps, whose current row is the newest received', () => {
    fc.assert(
      fc.property(fc.array(archive, { minLength: 1, maxLength: 4 }), (archives) => {
        const store = new Store()
        for (const rows of archives) store.import(rows)
        for (const [chain, revisions] of store.chains) {
          expect(revisions.map((r) => r.revision)).toEqual(revisions.map((_, n) => n + 1))
          expect(new Set(revisions.map((r) => r.id)).size).toBe(revisions.length)
          checkSupersession(store.rows.filter((row) => row.item.chain === chain))
        }
      }),
    )
  })
})

/** Each row supersedes the row that was current when it came, or came late and supersedes nothing. */
function checkSupersession(rows: readonly { item: Item; decision: Decision }[]): void {
  let current: Item | null = null
  for (const { item, decision } of rows) {
    if (typeof decision === 'string') continue
    const late = current !== null && item.received_at < current.received_at
    expect(decision.supersedes_id).toBe(current === null || late ? null : RULE.idOf(current))
    expect(decision.correction_reason === null).toBe(decision.supersedes_id === null)
    if (!late) current = item
  }
}

describe('what chains are about', () => {
  /** A chain is a market's word about one instant. */
  type Said = Item & { readonly market: string; readonly source_at: number }
  const SAID: RevisionRule<Said> = {
    ...(RULE as RevisionRule<Said>),
    chainOf: (item) => `${item.market} ${item.source_at}`,
  }
  const ABOUT: RevisionRule<Said> = { ...SAID, subject: { of: (item) => item.market, at: (item) => item.source_at } }

  test('decides nothing: records are placed as they are by their chains alone', () => {
    const said = fc.record({
      market: fc.constantFrom('a', 'b', 'c'),
      source_at: fc.nat(6),
      received_at: fc.nat(12),
      value: fc.constantFrom('x', 'y'),
    })
    const stored = fc.constantFrom(
      new Map(),
      new Map([['a 3', [{ id: 'a', revision: 2, received_at: 4, kind: 'open', content: 'x' }]]]),
    )
    fc.assert(
      fc.property(fc.array(said, { maxLength: 12 }), stored, (list, known) => {
        const all = list.map((item, n) => ({ ...item, line: n + 2, chain: `${item.market} ${item.source_at}` }))
        const sorted = inCommitOrder(all)
        const keys = sorted.map(SAID.chainOf)
        expect(planRevisions(sorted, keys, known, ABOUT)).toEqual(planRevisions(sorted, keys, known, SAID))
      }),
    )
  })
})
