import { canonicalJson } from '../../primitives/canonical-json.ts'
import { Decimal, type DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'

/** One piece of evidence, as stored in records. */
export type EvidenceItem = {
  readonly evidence_id: string
  readonly kind: string
  readonly source_uri: string
  readonly observed_at: Instant
  /** SHA-256 of `measured`, or of the document at source_uri. */
  readonly content_hash: string
  readonly component: string
  readonly tier: EvidenceTier
  /** Measured figures in RFC 8785 form; null: the document is not ours. */
  readonly measured: string | null
}

/** Builds evidence from a measurement of ours; the hash covers the figures. */
export function measuredEvidence(item: {
  readonly kind: string
  readonly component: string
  readonly tier: EvidenceTier
  readonly source_uri: string
  readonly observed_at: Micros
  readonly figures: unknown
}): EvidenceItem {
  const measured = canonicalJson(item.figures)
  const content_hash = `sha256:${sha256Hex(measured)}`
  const observed_at = formatMicros(item.observed_at)
  const { kind, component, tier, source_uri } = item
  const evidence_id = deriveId('evd', kind, component, source_uri, observed_at, content_hash)
  return { evidence_id, kind, source_uri, observed_at, content_hash, component, tier, measured }
}

/** Returns the days of 24 hours from an item's observation to a cutoff. */
export function ageDays({ observed_at }: Pick<EvidenceItem, 'observed_at'>, cutoff: Micros): DecimalString {
  return new Decimal(Math.max(0, cutoff - toMicros(observed_at))).div(MICROS_PER_DAY).toFixed()
}

/** Hosts whose documents may be evidence, as named by the facts and terms. A host covers its subdomains. */
export type AllowedHosts = readonly string[]

/** An evidence item as entered in a form. */
export type GivenEvidence = {
  readonly kind: string
  readonly component: string
  readonly tier: EvidenceTier
  readonly source_uri: string
  readonly observed_at: string
  readonly content_hash: string
}

/**
 * Checks evidence that a person names: from a listed host, and not in the future.
 * @throws {ServiceError} VALIDATION_EVIDENCE_INVALID
 */
export function givenEvidence(
  item: GivenEvidence,
  rule: { readonly hosts: AllowedHosts; readonly components: readonly string[]; readonly now: Micros },
): EvidenceItem {
  const { kind, component, tier, source_uri, content_hash } = item
  if (!rule.components.includes(component)) refuse('component', component, rule.components.join(', '))
  const host = hostOf(source_uri)
  if (!rule.hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`)))
    refuse('source_uri', source_uri, `a host of ${rule.hosts.join(', ')}`)
  const at = toMicros(item.observed_at, 'observed_at')
  if (at > rule.now) refuse('observed_at', item.observed_at, `an instant not after now (${formatMicros(rule.now)})`)
  const observed_at = formatMicros(at)
  const evidence_id = deriveId('evd', kind, component, source_uri, observed_at, content_hash)
  return { evidence_id, kind, source_uri, observed_at, content_hash, component, tier, measured: null }
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).hostname : ''
}

function refuse(field: string, value: string, allowed: string): never {
  throw new ServiceError(
    'VALIDATION_EVIDENCE_INVALID',
    `${field} of evidence is ${JSON.stringify(value)}; allowed: ${allowed}`,
    {
      field,
      value,
    },
  )
}
