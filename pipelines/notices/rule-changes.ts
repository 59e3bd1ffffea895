import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { RULE_FIELDS, type RuleChangeKind } from '../../vocabulary/notices.ts'
import { rulesTextOf } from '../market/reference-facts.ts'

type RuleField = (typeof RULE_FIELDS)[number]

type Rules = {
  readonly resolution_question: string | null
  readonly resolution_criteria: string | null
  readonly resolution_sources: readonly string[] | null
}

/** Revision of a market as stored; a missing value may be left out. */
export type MarketRevision = {
  readonly market_id: string
  readonly revision: number
  readonly rules?: Partial<Rules> | null
  readonly venue_mapping?: { readonly venue_id: string; readonly source_market_id: string } | null
  readonly source_at: Instant
  readonly received_at: Instant
  readonly published_at: Instant
  readonly row_ordinal: number
}

/** Version of an index, with the interval in which it is effective. */
export type UsingVersion = {
  readonly index_id: string
  readonly effective_from: Instant
  readonly effective_to?: Instant | null
  /** RFC 8785 text of the version as defined. */
  readonly definition: string
}

/** Rules of a market as archived, when they were first recorded or differed from those before. */
export type RuleChange = Rules & {
  readonly change_id: string
  readonly kind: RuleChangeKind
  readonly market_id: string
  readonly venue_id: string | null
  readonly source_market_id: string | null
  readonly revision: number
  readonly rules_sha256: string
  /** Hash of the rules before; null: they were recorded for the first time. */
  readonly previous_sha256: string | null
  readonly changed_fields: readonly RuleField[]
  /** Indexes whose version of that time names the market. */
  readonly index_ids: readonly string[]
  readonly source_at: Instant
  readonly published_at: Instant
}

/** Returns the ledger of rules, unordered: one entry for each text that a market had, when it replaced another. */
export function ruleChangesOf(
  revisions: readonly MarketRevision[],
  versions: readonly UsingVersion[],
): readonly RuleChange[] {
  const markets = new Map<string, MarketRevision[]>()
  for (const row of revisions) {
    if (row.rules == null) continue
    const known = markets.get(row.market_id)
    if (known === undefined) markets.set(row.market_id, [row])
    else known.push(row)
  }
  const uses = versions.map(usesOf)
  return [...markets.values()].flatMap((rows) => changesOfMarket(rows.sort(inOrder), uses))
}

/** Order in which the states of a market follow each other, as its current row is chosen. */
function inOrder(a: MarketRevision, b: MarketRevision): number {
  return (
    toMicros(a.received_at) - toMicros(b.received_at) ||
    a.revision - b.revision ||
    toMicros(a.published_at) - toMicros(b.published_at) ||
    a.row_ordinal - b.row_ordinal
  )
}

function changesOfMarket(rows: readonly MarketRevision[], uses: readonly Use[]): RuleChange[] {
  return rows.flatMap((row, at) => {
    const before = rows[at - 1]?.rules ?? null
    const [rules, previous_sha256] = [row.rules!, before === null ? null : hashOf(before)]
    const rules_sha256 = hashOf(rules)
    return rules_sha256 === previous_sha256 ? [] : [changeOf(row, { before, previous_sha256, rules_sha256 }, uses)]
  })
}

type Found = {
  readonly before: Partial<Rules> | null
  readonly previous_sha256: string | null
  readonly rules_sha256: string
}

function changeOf(row: MarketRevision, found: Found, uses: readonly Use[]): RuleChange {
  const { market_id, revision, source_at, published_at } = row
  const { before, previous_sha256, rules_sha256 } = found
  const rules = row.rules!
  const { resolution_question = null, resolution_criteria = null, resolution_sources = null } = rules
  const { venue_id = null, source_market_id = null } = row.venue_mapping ?? {}
  const at = toMicros(published_at)
  const using = uses.filter((use) => isUsing(use, venue_id, source_market_id, at)).map(({ index_id }) => index_id)
  return {
    change_id: deriveId('rch', market_id, revision, rules_sha256),
    kind: before === null ? 'archived' : 'changed',
    market_id,
    venue_id,
    source_market_id,
    revision,
    rules_sha256,
    previous_sha256,
    changed_fields:
      before === null ? [] : RULE_FIELDS.filter((field) => textOf(before, field) !== textOf(rules, field)),
    resolution_question,
    resolution_criteria,
    resolution_sources,
    index_ids: [...new Set(using)].sort(),
    source_at,
    published_at,
  }
}

function textOf(rules: Partial<Rules>, field: RuleField): string {
  const value = rules[field]
  return typeof value === 'string' ? value : (value ?? []).join('\u001f')
}

/** Returns the SHA-256 by which rules are compared: that of the market's `rules_version` where its record states none. */
function hashOf(rules: Partial<Rules>): string {
  const known = HASHES.get(rules)
  if (known !== undefined) return known
  const made = sha256Hex(rulesTextOf(rules))
  HASHES.set(rules, made)
  return made
}

/** Hashes of records that stay in memory: the ledger is asked again and again. */
const HASHES = new WeakMap<object, string>()

type Use = {
  readonly index_id: string
  readonly from: Micros
  readonly to: Micros | null
  readonly venues: ReadonlySet<string>
  readonly markets: ReadonlySet<string>
}

/** Legs name a market by its venue and the venue's own id, anywhere in the definition. */
function usesOf(version: UsingVersion): Use {
  const { index_id, effective_from, effective_to = null, definition } = version
  const [venues, markets] = [new Set<string>(), new Set<string>()]
  JSON.parse(definition, (key, value: unknown) => {
    if (key === 'venue_id' && typeof value === 'string') venues.add(value)
    if (key === 'source_market_id' && typeof value === 'string') markets.add(value)
    return value
  })
  const to = effective_to === null ? null : toMicros(effective_to)
  return { index_id, from: toMicros(effective_from), to, venues, markets }
}

function isUsing(use: Use, venue_id: string | null, source_market_id: string | null, at: Micros): boolean {
  if (venue_id === null || source_market_id === null || at < use.from || (use.to !== null && use.to <= at)) return false
  return use.venues.has(venue_id) && use.markets.has(source_market_id)
}
