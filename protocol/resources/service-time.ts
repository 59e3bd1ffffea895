import Type, { type Static } from 'typebox'
import { closed, EpochMillis, Instant } from '../scalars.ts'

export const ServiceTime = Type.Object(
  { server_time: Instant, server_time_ms: EpochMillis },
  { ...closed, title: 'ServiceTime' },
)
export type ServiceTime = Static<typeof ServiceTime>
