import Type, { type Static } from 'typebox'
import { PROTECTIONS } from '../limits.ts'
import { closed, orNull } from '../scalars.ts'

const { fill_count_max, window_ms, frozen_ms } = PROTECTIONS

export const ProtectionRequest = Type.Object(
  {
    fill_count_max: Type.Integer({
      minimum: 1,
      maximum: fill_count_max,
      description: 'fills of resting orders within the window that trigger it',
    }),
    quantity_max: Type.Optional(
      orNull(
        Type.String({
          pattern: '^(0|[1-9]\\d{0,14})(\\.\\d{1,8})?$',
          description: 'filled quantity that triggers it too; a multiple of quantity_increment above 0',
          examples: ['500.00'],
        }),
      ),
    ),
    window_ms: Type.Integer({ minimum: 1, maximum: window_ms, description: 'length of the window' }),
    frozen_ms: Type.Integer({
      minimum: 1,
      maximum: frozen_ms,
      description: 'time after a trigger during which orders are refused',
    }),
  },
  { ...closed, title: 'ProtectionRequest' },
)
export type ProtectionRequest = Static<typeof ProtectionRequest>

export const ResetProtectionRequest = Type.Object({}, { ...closed, title: 'ResetProtectionRequest' })
