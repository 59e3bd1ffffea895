import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import { checkPolicy, type PolicyContent } from './policy.ts'
import type { Member, Roster } from './roster.ts'
import { checkMembers } from './roster-form.ts'

/** Fields that a roster and a policy share: each version names the hash of the one before. */
type Versioned = {
  readonly version: number
  /** Hash of the version before; null: the first. */
  readonly previous_hash: string | null
  readonly expires_at: Instant
}

/** A roster as signed and published. */
export type RosterDocument = Versioned & {
  readonly statement: 'tidemark.roster.v1'
  /** Number of administrators who sign a roster. */
  readonly threshold: number
  readonly members: readonly {
    readonly actor_id: string
    readonly name: string
    readonly roles: Member['roles']
    readonly keys: readonly {
      readonly public_key: string
      readonly valid_from: Instant
      readonly valid_to: Instant | null
      readonly revoked_at: Instant | null
    }[]
  }[]
}

/** A policy as signed and published. */
export type PolicyDocument = Versioned & { readonly statement: 'tidemark.policy.v1' } & PolicyContent

/** A document in force, or that was. */
export type Adopted<D> = {
  readonly document: D
  readonly record_hash: string
  readonly proposal_id: string
  readonly effective_from: Micros
}

/** Longest time until a roster or policy expires. */
const LIFETIME_MAX = 400 * MICROS_PER_DAY

/** Returns the hash of a document: SHA-256 of its RFC 8785 form, in hex. */
export function recordHash(document: unknown): string {
  return sha256Hex(canonicalJson(document))
}

/** Returns the document of a roster's successor. @param before null: the first roster */
export function rosterDocument(
  form: { readonly members: readonly Member[]; readonly threshold: number; readonly expires_at: Micros },
  before: Adopted<Versioned> | null,
): RosterDocument {
  return {
    statement: 'tidemark.roster.v1',
    ...linkTo(before),
    expires_at: formatMicros(form.expires_at),
    threshold: form.threshold,
    members: form.members.map(({ keys, ...member }) => ({
      ...member,
      keys: keys.map(({ public_key, valid_from, valid_to, revoked_at }) => ({
        public_key,
        valid_from: formatMicros(valid_from),
        valid_to: valid_to === null ? null : formatMicros(valid_to),
        revoked_at: revoked_at === null ? null : formatMicros(revoked_at),
      })),
    })),
  }
}

/** Returns the document of a policy's successor. @param before null: the first policy */
export function policyDocument(
  content: PolicyContent,
  expires_at: Micros,
  before: Adopted<Versioned> | null,
): PolicyDocument {
  return { statement: 'tidemark.policy.v1', ...linkTo(before), expires_at: formatMicros(expires_at), ...content }
}

/** Returns the fields of a roster document that its public record repeats. */
export function shownRoster({ threshold, members }: RosterDocument) {
  return { threshold, members }
}

/** Returns the fields of a policy document that its public record repeats; one that states no drift_after has none. */
export function shownPolicy({ classes, ...document }: PolicyDocument) {
  const { proposal_lifetime, late_window, late_extension, emergency_lapse, drift_after } = document
  return {
    classes: Object.entries(classes).map(([change_class, rule]) => ({ change_class, ...rule })),
    proposal_lifetime,
    late_window,
    late_extension,
    emergency_lapse,
    ...(drift_after === undefined ? {} : { drift_after }),
  }
}

/** Returns the people of a roster document. */
export function rosterOf({ members, expires_at }: RosterDocument): Roster {
  const instant = (text: Instant | null) => (text === null ? null : toMicros(text))
  return {
    expires_at: toMicros(expires_at),
    members: members.map(({ keys, ...member }) => ({
      ...member,
      keys: keys.map(({ public_key, valid_from, valid_to, revoked_at }) => ({
        public_key,
        valid_from: toMicros(valid_from),
        valid_to: instant(valid_to),
        revoked_at: instant(revoked_at),
      })),
    })),
  }
}

/**
 * Refuses a roster that may not follow another.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_STATE_CONFLICT: it does not follow the newest version
 */
export function checkRosterDocument(document: RosterDocument, before: Adopted<RosterDocument> | null, at: Micros) {
  checkLink('roster', document, before)
  checkLifetime('roster', document, at)
  const { members } = rosterOf(document)
  checkMembers(members, 'roster')
  const administrators = members.filter(({ roles }) => roles.includes('administrator')).length
  const { threshold } = document
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > administrators)
    throw invalid('threshold', String(threshold), `from 1 to ${administrators}, the number of administrators`)
  if (before !== null) checkKeys(rosterOf(before.document).members, members)
}

/** Refuses a policy that may not follow another, or that the roster cannot satisfy. @throws {ServiceError} as checkRosterDocument */
export function checkPolicyDocument(
  document: PolicyDocument,
  before: Adopted<PolicyDocument> | null,
  { roster, at }: { readonly roster: RosterDocument; readonly at: Micros },
): void {
  checkLink('policy', document, before)
  checkLifetime('policy', document, at)
  checkPolicy(document, roster.members)
}

function linkTo(before: Adopted<Versioned> | null) {
  return {
    version: (before?.document.version ?? 0) + 1,
    previous_hash: before?.record_hash ?? null,
  }
}

function checkLink(field: string, { version, previous_hash }: Versioned, before: Adopted<Versioned> | null): void {
  const wanted = linkTo(before)
  if (version === wanted.version && previous_hash === wanted.previous_hash) return
  throw notAllowed(
    'REVIEW_STATE_CONFLICT',
    field,
    `version ${version} after ${previous_hash ?? 'none'}`,
    `version ${wanted.version} after ${wanted.previous_hash ?? 'none'}, the newest`,
  )
}

function checkLifetime(field: string, { expires_at }: Versioned, at: Micros): void {
  const ends = toMicros(expires_at, 'expires_at')
  if (at < ends && ends <= at + LIFETIME_MAX) return
  const allowed = `after ${formatMicros(at)}, at most 400 days later`
  throw invalid(`expires_at of the ${field}`, expires_at, allowed)
}

/** Refuses a known key with another owner, and one whose revocation was taken back. */
function checkKeys(before: readonly Member[], after: readonly Member[]): void {
  const known = new Map(before.flatMap(({ actor_id, keys }) => keys.map((key) => [key.public_key, { actor_id, key }])))
  for (const { actor_id, keys } of after) {
    for (const { public_key, revoked_at } of keys) {
      const earlier = known.get(public_key)
      if (earlier === undefined) continue
      const field = `key ${public_key.slice(0, 16)}… of ${actor_id}`
      if (earlier.actor_id !== actor_id) throw invalid(field, `of ${earlier.actor_id} before`, 'the same owner')
      const revoked = earlier.key.revoked_at
      if (revoked !== null && (revoked_at === null || revoked_at > revoked))
        throw invalid(field, 'without its revocation', `revoked at ${formatMicros(revoked)} or before`)
    }
  }
}

function invalid(field: string, value: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, value, allowed)
}
