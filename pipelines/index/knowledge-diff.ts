import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { KnowledgeChangeKind, KnowledgeSubject } from '../../vocabulary/knowledge.ts'

/** A record as its endpoint answers with it. */
export type KnownRecord = Readonly<Record<string, unknown>>

/** Input of a level that differs between two revisions of its tick. */
type ChangedInput = {
  readonly constituent_id: string
  readonly changed_fields: readonly string[]
  readonly before: KnownRecord | null
  readonly after: KnownRecord | null
}

/** Record that is known at a later instant in another form than at an earlier one; null: not known, or not in force. */
export type KnowledgeChange = {
  readonly subject: KnowledgeSubject
  /** Id of the record; the tick of a level, the market of a rating. */
  readonly subject_id: string
  readonly change: KnowledgeChangeKind
  readonly changed_fields: readonly string[]
  /** Inputs that differ; empty unless a level was revised. */
  readonly changed_inputs: readonly ChangedInput[]
  readonly before: KnownRecord | null
  readonly after: KnownRecord | null
}

/** Records of one subject by id. */
export type KnownRecords = ReadonlyMap<string, KnownRecord>

/** Returns the changes from some records to others, in the order of their ids. */
export function recordChanges(subject: KnowledgeSubject, before: KnownRecords, after: KnownRecords): KnowledgeChange[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort()
  return ids.flatMap((id) => changeOf(subject, id, before.get(id) ?? null, after.get(id) ?? null) ?? [])
}

/**
 * Returns the change of one tick's level with the inputs that caused it; null: none.
 * @param before,after the level known at each instant, with its `inputs`
 */
export function levelChange(before: KnownRecord | null, after: KnownRecord): KnowledgeChange | null {
  const change = changeOf('level', String(after.tick_at), withoutInputs(before), withoutInputs(after))
  if (change === null || before === null) return change
  return { ...change, changed_inputs: changedInputs(inputsOf(before), inputsOf(after)) }
}

/** Applies changes of one subject to the records known at the earlier instant: the result are those known at the later one. */
export function applyChanges(records: KnownRecords, changes: readonly KnowledgeChange[]): KnownRecords {
  const result = new Map(records)
  for (const { subject_id, after } of changes) {
    if (after === null) result.delete(subject_id)
    else result.set(subject_id, after)
  }
  return result
}

function changeOf(
  subject: KnowledgeSubject,
  subject_id: string,
  before: KnownRecord | null,
  after: KnownRecord | null,
): KnowledgeChange | null {
  const changed_fields = before === null || after === null ? [] : changedFields(before, after)
  if (before !== null && after !== null && changed_fields.length === 0) return null
  const change = before === null ? 'added' : after === null ? 'removed' : 'revised'
  return { subject, subject_id, change, changed_fields, changed_inputs: [], before, after }
}

function changedFields(before: KnownRecord, after: KnownRecord): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const text = (value: unknown) => canonicalJson(value ?? null)
  return names.filter((name) => text(before[name]) !== text(after[name]))
}

function withoutInputs(level: KnownRecord | null): KnownRecord | null {
  if (level === null) return null
  const { inputs: _, ...record } = level
  return record
}

function inputsOf({ inputs }: KnownRecord): KnownRecords {
  return new Map((inputs as readonly KnownRecord[]).map((input) => [String(input.constituent_id), input]))
}

function changedInputs(before: KnownRecords, after: KnownRecords): ChangedInput[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort()
  return ids.flatMap((constituent_id) => {
    const [left, right] = [before.get(constituent_id) ?? null, after.get(constituent_id) ?? null]
    const changed_fields = left === null || right === null ? [] : changedFields(left, right)
    const is_same = left !== null && right !== null && changed_fields.length === 0
    return is_same ? [] : [{ constituent_id, changed_fields, before: left, after: right }]
  })
}
