import { marketIdOf } from '../../pipelines/revisions/identity.ts'
import { IGNORE_RULES, type IgnoreRule, type RedactionRule } from '../../pipelines/venues/outcomes.ts'
import { adviceOn, type QuarantineItem, type Refusal } from '../../pipelines/venues/quarantine.ts'
import type { ArchiveContent, QuoteRecord, ZeroValue } from '../../pipelines/venues/record.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { type InputCounts, InputTally, placeOf, type RuleCount } from './input-tally.ts'
import type { ImportPlan } from './plan-import.ts'

/**
 * Counts of an import. `input` counts the records that the files hold, each under one outcome; the other counts are of rows, of
 * which one record may give several: records_read = new + revised + duplicate + quarantined.
 */
export type ImportReport = {
  readonly archive: string
  /** Names of the files read. */
  readonly files: readonly string[]
  readonly input: InputCounts
  /** The same counts for every file, sorted by name. */
  readonly input_files: readonly (InputCounts & { readonly file: string })[]
  /** Rules by which records were left without a row, most frequent first, each with its first record. */
  readonly ignored: readonly RuleCount<IgnoreRule>[]
  /** Rules by which account data was removed before anything was stored. */
  readonly redactions: readonly RuleCount<RedactionRule>[]
  /** The rejected records in groups of one reason, kind of place and kind of advice, most frequent first. */
  readonly problems: readonly ImportProblem[]
  /** Records whose source clock was ahead of their receipt, within the tolerance of their source; their instants are kept. */
  readonly records_clock_ahead: number
  /** Zeros in fields where recorders write 0 for a missing price (ZERO_FIELDS), and how many of them were read as missing. */
  readonly zero_values: {
    readonly count: number
    readonly read_as_missing: number
    readonly first: { readonly file: string; readonly line: number } | null
  }
  /** Payloads that the files hold; 0 where an archive is tables of records. */
  readonly payloads_read: number
  /** Payloads stored. */
  readonly payloads_new: number
  readonly records_read: number
  /** First revisions stored. */
  readonly records_new: number
  /** Later revisions stored. */
  readonly records_revised: number
  readonly records_duplicate: number
  /** Every record that was not taken. */
  readonly records_quarantined: number
  /** The records that were not taken, of very many the first QUARANTINE_NAMED_MAX. */
  readonly quarantine: readonly QuarantineItem[]
  /** Revisions of markets and events stored. */
  readonly reference_records: number
  /** Least and greatest source instant of the valid records; null without any. */
  readonly first_source_at: Instant | null
  readonly last_source_at: Instant | null
  readonly commits: number
}

/** Problems of one kind: the first of them, how many there are, and in how many files. */
type ImportProblem = Required<Refusal> & QuarantineItem & { readonly count: number; readonly files: number }

/**
 * A market that an import had records of, by the venue's own id too. Records that marks are made from became known in [from, to); an
 * empty range: it has none of them.
 */
export type ImportedMarket = {
  readonly market_id: string
  readonly source_market_id: string
  readonly from: Micros
  readonly to: Micros
}

const MARKED_MICROS: Micros = 1
const SEPARATOR = '\u001f'

/** Quarantined records that a report of a long import names. */
const QUARANTINE_NAMED_MAX = 10_000

/** Parts of an input that were not read as payloads. */
type Unread = {
  readonly quarantine: readonly QuarantineItem[]
  /** Files without data. */
  readonly ignored?: readonly { readonly file: string; readonly rule: IgnoreRule }[]
  readonly redactions?: readonly { readonly file: string; readonly rule: RedactionRule; readonly count: number }[]
}

type MarketRecord = Pick<QuoteRecord, 'venue_id' | 'source_market_id' | 'source_at' | 'received_at'>

/** Running report of an import, to which each part adds its counts. */
export class ReportTally {
  readonly input = new InputTally()
  payloads_read = 0
  payloads_new = 0
  commits = 0
  reference_records = 0
  readonly #counts = { new: 0, revised: 0, duplicate: 0, quarantined: 0 }
  readonly #quarantine: QuarantineItem[] = []
  readonly #problems = new Map<string, { first: QuarantineItem; count: number; files: Set<string> }>()
  #clock_ahead = 0
  #zeros: ImportReport['zero_values'] = { count: 0, read_as_missing: 0, first: null }
  readonly #markets = new Map<string, { from: Micros; to: Micros }>()
  #first: Micros | null = null
  #last: Micros | null = null

  /** Counts the records of one plan. */
  addPlan({ counts, quarantine }: Omit<ImportPlan, 'tables'>): void {
    this.#counts.new += counts.new
    this.#counts.revised += counts.revised
    this.#counts.duplicate += counts.duplicate
    this.addQuarantine(quarantine)
  }

  /** Counts rows as duplicates that were planned as new or revised and turned out to be stored by somebody else. */
  moveDuplicates(stored: { readonly new: number; readonly revised: number }): void {
    this.#counts.new -= stored.new
    this.#counts.revised -= stored.revised
    this.#counts.duplicate += stored.new + stored.revised
  }

  /** Counts rows of a plan that was not committed to its end. */
  addStored(stored: { readonly new: number; readonly revised: number }): void {
    this.#counts.new += stored.new
    this.#counts.revised += stored.revised
  }

  /** Counts files and lines that gave no payload: each is a record of the input. */
  addUnread({ quarantine, ignored = [], redactions = [] }: Unread): void {
    for (const { file, line } of quarantine) this.input.countFile(file, 'quarantined', line)
    for (const { file, rule } of ignored) this.input.countFile(file, rule)
    for (const { file, rule, count } of redactions) this.input.redact(file, rule, count)
    this.addQuarantine(quarantine)
  }

  addZeros(zeros: readonly ZeroValue[]): void {
    const [first] = zeros
    if (first === undefined) return
    const { file, line } = placeOf(first.file, first.line)
    this.#zeros = {
      count: this.#zeros.count + zeros.length,
      read_as_missing: this.#zeros.read_as_missing + zeros.filter(({ is_missing }) => is_missing).length,
      first: this.#zeros.first ?? { file, line },
    }
  }

  addQuarantine(items: readonly QuarantineItem[]): void {
    this.#counts.quarantined += items.length
    for (const item of items) {
      const key = kindOf(item)
      const known = this.#problems.get(key) ?? { first: item, count: 0, files: new Set<string>() }
      known.count += 1
      known.files.add(item.file)
      if (known.count > 1 || this.#problems.size < QUARANTINE_NAMED_MAX) this.#problems.set(key, known)
    }
    const named = items.slice(0, QUARANTINE_NAMED_MAX - this.#quarantine.length)
    this.#quarantine.push(...named.map(({ advice: _, ...item }) => item))
  }

  /** Widens the span of source instants, and the spans of markets. */
  addSpan({ quotes, trades, resolutions, books, metrics, hazards, references }: Omit<ArchiveContent, 'files'>): void {
    this.#clock_ahead += hazards.filter(({ is_clock_ahead }) => is_clock_ahead).length
    for (const records of [quotes, resolutions, references])
      for (const record of records) this.#addMarket(record, MARKED_MICROS)
    for (const records of [trades, books, metrics]) for (const record of records) this.#addMarket(record, 0)
    for (const records of [quotes, trades, resolutions, books, metrics, hazards]) {
      for (const { source_at, received_at } of records) {
        if (source_at > received_at && records !== hazards) this.#clock_ahead += 1
        this.#first = this.#first === null ? source_at : Math.min(this.#first, source_at)
        this.#last = this.#last === null ? source_at : Math.max(this.#last, source_at)
      }
    }
  }

  /** The markets that the import had records of. */
  markets(): ImportedMarket[] {
    return [...this.#markets].map(([key, range]) => {
      const [venue_id, source_market_id] = key.split(SEPARATOR) as [string, string]
      return { market_id: marketIdOf(venue_id, source_market_id), source_market_id, ...range }
    })
  }

  /** @param span length of the range that one record adds; 0 for a record that no mark is made from */
  #addMarket({ venue_id, source_market_id, source_at, received_at }: MarketRecord, span: Micros): void {
    const at = Math.max(source_at, received_at)
    const key = `${venue_id}${SEPARATOR}${source_market_id}`
    const known = this.#markets.get(key)
    if (known === undefined || (span > 0 && known.from === known.to)) {
      this.#markets.set(key, { from: at, to: at + span })
    } else if (span > 0) {
      known.from = Math.min(known.from, at)
      known.to = Math.max(known.to, at + span)
    }
  }

  report(archive: string, files: readonly string[]): ImportReport {
    const { new: added, revised, duplicate, quarantined } = this.#counts
    return {
      archive,
      files,
      ...this.input.report(),
      problems: [...this.#problems.values()]
        .map(({ first, count, files }) => ({ ...first, advice: adviceOn(first), count, files: files.size }))
        .sort((a, b) => b.count - a.count),
      records_clock_ahead: this.#clock_ahead,
      zero_values: { ...this.#zeros },
      payloads_read: this.payloads_read,
      payloads_new: this.payloads_new,
      records_read: added + revised + duplicate + quarantined,
      records_new: added,
      records_revised: revised,
      records_duplicate: duplicate,
      records_quarantined: quarantined,
      quarantine: this.#quarantine,
      reference_records: this.reference_records,
      first_source_at: this.#first === null ? null : formatMicros(this.#first),
      last_source_at: this.#last === null ? null : formatMicros(this.#last),
      commits: this.commits,
    }
  }
}

/** Names equal problems: their places differ in numbers, their advice in what it quotes. */
function kindOf({ reason, path = '', advice = '' }: QuarantineItem): string {
  return [reason, path.replaceAll(/\d+/g, ''), advice.replaceAll(/"[^"]*"/g, '')].join('\u001f')
}

/** Says in one sentence why an import could use nothing and what to do: of its most frequent problem, else of what it ignored. */
export function nextStep({ problems, ignored }: Pick<ImportReport, 'problems' | 'ignored'>): string {
  const [problem] = problems
  const [rule] = ignored
  if (problem !== undefined) {
    const { file, line, path = '$', advice } = problem
    const place = [line > 1 ? `line ${line}` : '', path === '$' ? '' : path].filter((part) => part !== '')
    return `${[file, ...place].join(', ')}: ${advice}`
  }
  return rule === undefined
    ? 'there is no record in it'
    : `all of it is ignored, as ${rule.file}: ${IGNORE_RULES[rule.rule]}`
}
