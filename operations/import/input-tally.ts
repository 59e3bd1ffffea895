import type { IgnoreRule, Outcome, RedactionRule } from '../../pipelines/venues/outcomes.ts'
import { isIgnored } from '../../pipelines/venues/outcomes.ts'
import type { ChangedOutcome, Origin } from '../../pipelines/venues/record.ts'
import type { TableName } from '../../warehouse/tables.ts'

/** Records of an input by outcome: read = imported + duplicate + redacted + ignored + quarantined. */
export type InputCounts = {
  /** Records that the input holds. */
  readonly read: number
  /** Records of which at least one new row is stored. */
  readonly imported: number
  /** Records that state only what is stored already. */
  readonly duplicate: number
  /** Records that are not stored because they name an account. */
  readonly redacted: number
  /** Records that a rule of IGNORE_RULES leaves without a row. */
  readonly ignored: number
  /** Records that were rejected, in whole or in part. */
  readonly quarantined: number
}

/** Number of records to which a rule applied, and the first of them. */
export type RuleCount<Rule extends string> = Origin & { readonly rule: Rule; readonly count: number }

type Counts = { -readonly [K in keyof InputCounts]: InputCounts[K] }
type FileCounts = Counts & { readonly file: string }

/** Decision about items: stored or in conflict; an item without either repeats what is stored. */
export type Decided = { readonly stored: Iterable<number>; readonly conflicting: Iterable<number> }

/** Decisions of a plan, by the table whose commits carry them out. */
export type DecidedTables = Partial<Readonly<Record<TableName, () => Decided>>>

/** No item: the record belongs to one that is counted already. */
const NO_ITEM = -1

/**
 * Counts each record of an input under one outcome, by file. A record that was taken is pending until its rows are planned; the
 * items of a batch are numbered from 0, and the rows of a batch name theirs by number.
 */
export class InputTally {
  readonly #files = new Map<string, FileCounts>()
  readonly #rules = new Map<IgnoreRule, RuleCount<IgnoreRule> & { count: number }>()
  readonly #redactions = new Map<RedactionRule, RuleCount<RedactionRule> & { count: number }>()
  #pending: FileCounts[] = []
  #last: FileCounts | null = null

  /**
   * Counts the outcomes of one payload.
   * @returns the number of each record's item, by its line - 1; one number if the payload is one record
   */
  count(file: string, outcomes: readonly Outcome[]): number | readonly number[] {
    const counts = this.#countsOf(file)
    if (outcomes.length === 1) return this.#countOne(counts, outcomes[0]!, file, 1)
    return outcomes.map((outcome, n) => this.#countOne(counts, outcome, file, n + 1))
  }

  /** Counts one record of a file that is not a payload; returns its item, if it is pending. */
  countFile(file: string, outcome: Outcome, line = 1): number {
    return this.#countOne(this.#countsOf(file), outcome, file, line)
  }

  /** Moves an earlier record from a rule to the outcome that a later payload gave it; returns its item, if it is pending now. */
  change({ file, line, from, to }: ChangedOutcome): number {
    const counts = this.#countsOf(file)
    counts.read -= 1
    counts.ignored -= 1
    this.#rules.get(from)!.count -= 1
    return this.#countOne(counts, to, file, line)
  }

  redact(file: string, rule: RedactionRule, count = 1): void {
    const known = this.#redactions.get(rule)
    if (known === undefined) this.#redactions.set(rule, { rule, count, ...placeOf(file, 1) })
    else known.count += count
  }

  /** Takes the items that are pending; later ones are numbered from 0 again. */
  takePending(): PendingItems {
    const pending = this.#pending
    this.#pending = []
    return new PendingItems(pending)
  }

  report() {
    const files = [...this.#files.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
    const total = noCounts()
    for (const counts of files) {
      for (const name of COUNT_NAMES) total[name] += counts[name]
    }
    return {
      input: total,
      input_files: files.map((counts) => ({ ...counts })),
      ignored: listed(this.#rules),
      redactions: listed(this.#redactions),
    }
  }

  #countOne(counts: FileCounts, outcome: Outcome, file: string, line: number): number {
    counts.read += 1
    if (outcome === 'taken') return this.#pending.push(counts) - 1
    if (outcome === 'repeated') counts.duplicate += 1
    else if (isIgnored(outcome)) {
      counts.ignored += 1
      const known = this.#rules.get(outcome)
      if (known === undefined) this.#rules.set(outcome, { rule: outcome, count: 1, ...placeOf(file, line) })
      else known.count += 1
    } else counts[outcome] += 1
    return NO_ITEM
  }

  /** Payloads of one file mostly follow each other; `NAME:LINE` is a line of the file NAME. */
  #countsOf(place: string): FileCounts {
    const last = this.#last
    if (last !== null && place.startsWith(last.file)) {
      const next = place.charCodeAt(last.file.length)
      if (next === COLON || Number.isNaN(next)) return last
    }
    const file = LINE_OF_FILE.exec(place)?.[1] ?? place
    let counts = this.#files.get(file)
    if (counts === undefined) {
      counts = { file, ...noCounts() }
      this.#files.set(file, counts)
    }
    this.#last = counts
    return counts
  }
}

/** Items whose rows are planned but not committed. */
export class PendingItems {
  readonly #files: readonly FileCounts[]
  readonly #states: Uint8Array

  constructor(files: readonly FileCounts[]) {
    this.#files = files
    this.#states = new Uint8Array(files.length)
  }

  /** Number of items. */
  get count(): number {
    return this.#files.length
  }

  /** Notes items with a row in a table that was committed. A record in conflict stays one, whatever else of it is stored. */
  note({ stored, conflicting }: Decided): void {
    const states = this.#states
    for (const item of stored) if (item !== NO_ITEM && states[item] === REPEATED) states[item] = STORED
    for (const item of conflicting) if (item !== NO_ITEM) states[item] = IN_CONFLICT
  }

  /** Notes what the commits that were made decide; a conflict is decided without a commit. */
  noteTables(decided: DecidedTables, made: ReadonlySet<TableName>): void {
    for (const [table, decide] of Object.entries(decided)) {
      const { stored, conflicting } = decide()
      this.note({ stored: made.has(table as TableName) ? stored : [], conflicting })
    }
  }

  /** Counts every item by what was noted. */
  settle(): void {
    const states = this.#states
    for (let item = 0; item < states.length; item += 1) {
      const counts = this.#files[item]!
      if (states[item] === STORED) counts.imported += 1
      else if (states[item] === IN_CONFLICT) counts.quarantined += 1
      else counts.duplicate += 1
    }
  }
}

const [REPEATED, STORED, IN_CONFLICT] = [0, 1, 2]
const COLON = 58
const LINE_OF_FILE = /^(.*):\d+$/s
const COUNT_NAMES = ['read', 'imported', 'duplicate', 'redacted', 'ignored', 'quarantined'] as const

function noCounts(): Counts {
  return { read: 0, imported: 0, duplicate: 0, redacted: 0, ignored: 0, quarantined: 0 }
}

/** Returns the file and line of a record; `NAME:LINE` is a payload on a line of the file NAME. */
export function placeOf(place: string, line: number): { file: string; line: number } {
  const [, file, of_file] = /^(.*):(\d+)$/s.exec(place) ?? []
  return file === undefined ? { file: place, line } : { file, line: Number(of_file) }
}

function listed<Rule extends string>(rules: ReadonlyMap<Rule, RuleCount<Rule>>): RuleCount<Rule>[] {
  return [...rules.values()].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
}
