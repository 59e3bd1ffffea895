import Type, { type Static } from 'typebox'
import { KNOWLEDGE_CHANGES, KNOWLEDGE_SUBJECTS } from '../../vocabulary/knowledge.ts'
import { closed, Id, orNull, Text, texts } from '../scalars.ts'
import { Constituent } from './constituent.ts'
import { IndexInput, IndexObservation } from './index-observation.ts'
import { Index } from './index-resource.ts'
import { IndexVersion } from './index-version.ts'
import { MarketRating } from './market-rating.ts'

const KnownRecord = Type.Union([Index, IndexVersion, Constituent, MarketRating, IndexObservation])

const ChangedInput = Type.Object(
  {
    constituent_id: Id,
    changed_fields: Type.Array(Text),
    before: orNull(IndexInput),
    after: orNull(IndexInput),
  },
  { ...closed, title: 'ChangedInput' },
)

/** A record that is known at a later instant in another form than at an earlier one. */
export const KnowledgeChange = Type.Object(
  {
    subject: texts(KNOWLEDGE_SUBJECTS),
    subject_id: Type.String({ description: 'id of the record; the tick of a level, the market of a rating' }),
    change: texts(KNOWLEDGE_CHANGES),
    changed_fields: Type.Array(Text, { description: 'of a revised record: the fields that differ' }),
    changed_inputs: Type.Array(ChangedInput, { description: 'of a revised level: the inputs that differ' }),
    before: orNull(KnownRecord, 'as answered at from_as_of; null: not known, or not in force'),
    after: orNull(KnownRecord, 'as answered at to_as_of; null: no longer in force'),
  },
  { ...closed, title: 'KnowledgeChange' },
)
export type KnowledgeChange = Static<typeof KnowledgeChange>
