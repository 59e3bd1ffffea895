import Type, { type Static } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { Decimal, type DecimalString, formatDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { idForm, idPattern } from '../../primitives/id-form.ts'
import { deriveId } from '../../primitives/ids.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { AssessmentType } from '../../vocabulary/severity.ts'
import { At, CLOSED, Name, Share, Text, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import type { HazardRecord } from '../venues/record.ts'
import { SEVERITY_INDEX_PARAMETERS, type SeverityIndexParameters } from './severity-index.ts'
import { SEVERITY_METHODOLOGY_REFERENCE, windowOf } from './severity-record.ts'

const EventId = Type.String({ pattern: idPattern('evt'), description: 'the id of an event' })

/** A severity index as an operator defines it. An empty or omitted list accepts every value. */
const SeverityIndexSchema = Type.Object(
  {
    severity_index: Type.Object(
      {
        severity_index_id: Type.String({
          pattern: idPattern('svi'),
          description: idForm('svi'),
        }),
        name: Text,
        description: Type.Optional(Text),
      },
      CLOSED,
    ),
    versions: Type.Array(
      Type.Object(
        {
          version: Name,
          effective_from: At,
          assessment_type: Type.Union([Type.Literal('observed'), Type.Literal('forecast')], {
            description: 'observed or forecast',
          }),
          rho: Type.Optional(Share),
          decay_days: Type.Optional(Whole),
          events: Type.Object(
            {
              venue_ids: Type.Optional(Type.Array(Name)),
              hazard_types: Type.Optional(Type.Array(Name)),
              countries: Type.Optional(Type.Array(Text)),
              event_ids: Type.Optional(Type.Array(EventId)),
            },
            CLOSED,
          ),
          relevance: Type.Optional(
            Type.Object(
              {
                default: Type.Optional(Share),
                events: Type.Optional(Type.Array(Type.Object({ event_id: EventId, relevance: Share }, CLOSED))),
              },
              CLOSED,
            ),
          ),
        },
        CLOSED,
      ),
      { minItems: 1, description: 'one version or more' },
    ),
  },
  CLOSED,
)

type File = Static<typeof SeverityIndexSchema>
export type SeverityIndexVersion = File['versions'][number]
export type SeverityIndexDefinition = File

/**
 * Reads a definition.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID; VALIDATION_VERSION_OVERLAP: effective_from does not ascend
 */
export function parseSeverityIndex(text: string, name: string): SeverityIndexDefinition {
  const file = readForm(SeverityIndexSchema, text, name)
  file.versions.forEach((version, i) => {
    const before = file.versions[i - 1]
    const relevances = [version.relevance?.default, ...(version.relevance?.events ?? []).map((one) => one.relevance)]
    if (relevances.some((one) => one !== undefined && new Decimal(one).isZero()))
      throw new ServiceError('VALIDATION_DEFINITION_INVALID', `${name}: relevance is 0; allowed: above 0 and at most 1`)
    if (before !== undefined && toMicros(before.effective_from) >= toMicros(version.effective_from))
      throw new ServiceError(
        'VALIDATION_VERSION_OVERLAP',
        `${name}: version ${version.version} takes effect at ${version.effective_from}; allowed: an instant after ${before.effective_from}`,
      )
  })
  return file
}

/** Returns the row of a version; the definition is the version as given. */
export function severityVersionRow(severity_index_id: string, version: SeverityIndexVersion) {
  return {
    severity_index_version_id: deriveId('svv', severity_index_id, version.version),
    severity_index_id,
    version: version.version,
    effective_from: version.effective_from,
    assessment_type: version.assessment_type as AssessmentType,
    ...SEVERITY_METHODOLOGY_REFERENCE,
    definition: canonicalJson(version),
  }
}

/** Returns whether the rule of a version includes an event, judged by its alert. Pure. */
export function isMember({ events }: SeverityIndexVersion, event_id: string, alert: HazardRecord): boolean {
  const allows = (list: readonly string[] | undefined, values: readonly string[]) =>
    list === undefined || list.length === 0 || values.some((value) => list.includes(value))
  return (
    allows(events.venue_ids, [alert.venue_id]) &&
    allows(events.hazard_types, [alert.hazard_type]) &&
    allows(events.countries, alert.countries) &&
    allows(events.event_ids, [event_id])
  )
}

/** Returns the relevance of an event, before it fades. */
export function relevanceOf({ relevance }: SeverityIndexVersion, event_id: string): DecimalString {
  return relevance?.events?.find((one) => one.event_id === event_id)?.relevance ?? relevance?.default ?? '1'
}

/** Returns the days since the end of an event, 6 digits; null: it is ongoing at the cutoff. */
export function daysSinceEnd(alert: HazardRecord, cutoff: Micros): DecimalString | null {
  const { end } = windowOf(alert)
  if (end === null) return null
  return formatDecimal(new Decimal(Math.max(0, cutoff - toMicros(end))).div(MICROS_PER_DAY), 6)
}

/** Returns the parameters of a version, with the methodology's as defaults. */
export function parametersOf({ rho, decay_days }: SeverityIndexVersion): SeverityIndexParameters {
  return {
    ...SEVERITY_INDEX_PARAMETERS,
    ...(rho === undefined ? {} : { rho: new Decimal(rho) }),
    ...(decay_days === undefined ? {} : { decay_days: new Decimal(decay_days) }),
  }
}
