import Type from 'typebox'
import { TIME_DOMAINS } from '../../vocabulary/history.ts'
import { ASSESSMENT_TYPES, SEVERITY_LEVELS, SEVERITY_QUALITY_STATES } from '../../vocabulary/severity.ts'
import { SeverityAssessment, SeverityMethodology } from '../resources/severity.ts'
import { SeverityIndex, SeverityIndexValue, SeverityIndexVersion } from '../resources/severity-index.ts'
import { idOf } from '../scalars.ts'
import { EXPAND_MEASURED, METHODOLOGY_PATH, RECORD_HISTORY } from './assessment-shared.ts'
import type { Endpoint } from './endpoint.ts'
import { EVENT_ID } from './market-endpoints.ts'
import { AS_OF, flag, listOf, oneOf, PAGING, RANGE, required } from './parameter.ts'

export const SEVERITY_INDEX_ID = idOf('svi', 'severity_index_id')
const shared = { tag: 'Severity', limit_class: 'market_data' } as const
const of_event = { event_id: EVENT_ID }
const of_index = { severity_index_id: SEVERITY_INDEX_ID }
const EXPAND_INPUTS = {
  expand: listOf(['inputs'], 'embed every event selected by the rule, with its contribution'),
} as const

export const SEVERITY_ENDPOINTS = {
  get_event_severity: {
    ...shared,
    operation_id: 'get_event_severity',
    path: '/events/{event_id}/severity',
    summary: 'Severity of an event',
    description:
      'The assessment of the requested type in force at as_of, as known then; the two types are never merged. If there is none, level is UNKNOWN with the reason PENDING_REVIEW or NO_APPROVED_ASSESSMENT, and assessment_id is null.',
    path_parameters: of_event,
    query: {
      assessment_type: required(
        oneOf(ASSESSMENT_TYPES, 'observed: impact that has been reported; forecast: impact that may follow'),
      ),
      ...EXPAND_MEASURED,
      ...AS_OF,
    },
    data: SeverityAssessment,
    envelope: 'single',
    cache: 'current',
    cost: 1,
    errors: ['EVENT_NOT_FOUND'],
  },
  list_event_severity: {
    ...shared,
    operation_id: 'list_event_severity',
    is_history: true,
    path: '/events/{event_id}/severity-history',
    summary: 'List severity assessments of an event',
    description:
      'The newest revision of each assessment in the states approved, disputed and superseded, other states on request; sorted by (effective_from, published_at, assessment_id).',
    path_parameters: of_event,
    query: {
      assessment_type: oneOf(ASSESSMENT_TYPES, 'only assessments of this type'),
      ...RECORD_HISTORY,
      level: oneOf(SEVERITY_LEVELS, 'only assessments with this level'),
    },
    data: SeverityAssessment,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: ['EVENT_NOT_FOUND'],
  },
  list_severity_assessments: {
    ...shared,
    operation_id: 'list_severity_assessments',
    is_history: true,
    path: '/severity-assessments',
    summary: 'List severity assessments of all events',
    description:
      'The newest revision of each assessment of every event in the states approved, disputed and superseded, other states on request, such as those that wait for a decision; sorted by (effective_from, published_at, assessment_id).',
    path_parameters: {},
    query: {
      assessment_type: oneOf(ASSESSMENT_TYPES, 'only assessments of this type'),
      ...RECORD_HISTORY,
      level: oneOf(SEVERITY_LEVELS, 'only assessments with this level'),
    },
    data: SeverityAssessment,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: [],
  },
  list_severity_indexes: {
    ...shared,
    operation_id: 'list_severity_indexes',
    path: '/severity-indexes',
    summary: 'List severity indexes',
    description:
      'Every severity index with its version in effect at as_of; sorted by severity_index_id. A severity index is not a tradable price.',
    path_parameters: {},
    query: { ...AS_OF, ...PAGING },
    data: SeverityIndex,
    envelope: 'collection',
    cache: 'current',
    cost: 1,
    errors: [],
  },
  get_severity_index_version: {
    ...shared,
    operation_id: 'get_severity_index_version',
    path: '/severity-indexes/{severity_index_id}/versions/{version}',
    summary: 'Get a version of a severity index',
    description: 'Event rule, relevance and decay of the version, with its effective_to as known at as_of.',
    path_parameters: {
      ...of_index,
      version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$', description: 'a version of the index' }),
    },
    query: AS_OF,
    data: SeverityIndexVersion,
    envelope: 'single',
    cache: 'version',
    cost: 1,
    errors: ['SEVERITY_INDEX_NOT_FOUND', 'INDEX_VERSION_NOT_FOUND'],
  },
  get_severity_index_value: {
    ...shared,
    operation_id: 'get_severity_index_value',
    path: '/severity-indexes/{severity_index_id}/value',
    summary: 'Latest value of a severity index',
    description: 'The current record of the greatest source_cutoff_at known at as_of. It is not a tradable price.',
    path_parameters: of_index,
    query: { ...EXPAND_INPUTS, ...AS_OF },
    data: SeverityIndexValue,
    envelope: 'single',
    cache: 'current',
    cost: 1,
    errors: ['SEVERITY_INDEX_NOT_FOUND', 'OBSERVATION_NOT_FOUND'],
  },
  list_severity_index_values: {
    ...shared,
    operation_id: 'list_severity_index_values',
    is_history: true,
    path: '/severity-indexes/{severity_index_id}/values',
    summary: 'Values of a severity index',
    description: 'Published values; sorted by (published_at, value_id), or by the requested time domain.',
    path_parameters: of_index,
    query: {
      ...RANGE,
      time_domain: oneOf(TIME_DOMAINS, 'clock that start_time, end_time and the order refer to; default: published'),
      quality_state: oneOf(SEVERITY_QUALITY_STATES, 'only values in this quality state'),
      include_corrections: flag('true: every revision; default: the newest revision of each cutoff'),
      ...EXPAND_INPUTS,
      ...AS_OF,
      ...PAGING,
    },
    data: SeverityIndexValue,
    envelope: 'collection',
    cache: 'current',
    cost: 5,
    errors: ['SEVERITY_INDEX_NOT_FOUND'],
  },
  get_severity_methodology: {
    ...shared,
    operation_id: 'get_severity_methodology',
    path: '/severity-methodologies/{methodology_id}/versions/{version}',
    summary: 'Get a version of a severity methodology',
    description:
      'Components, level thresholds, minimum coverage and tiers of evidence, every parameter, the normative text, and the hash of both.',
    path_parameters: METHODOLOGY_PATH,
    query: AS_OF,
    data: SeverityMethodology,
    envelope: 'single',
    cache: 'immutable',
    cost: 1,
    errors: ['METHODOLOGY_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>
