import { MICROS_PER_DAY } from '../../primitives/instants.ts'
import { API_KEYS } from '../../protocol/limits.ts'
import { keyStatus } from '../projections/api-key.ts'
import type { Execution } from './execution.ts'
import type { Account } from './state.ts'
import type { Refusal } from './submission.ts'

/** Returns which limit a further key of an account would exceed; null: none. Every key has an authorization of the account. */
export function keyLimitExceeded({ state, now }: Execution, { authorizations }: Account): Refusal | null {
  const keys = authorizations.flatMap(({ api_key_id }) => state.keys.get(api_key_id) ?? [])
  const active = keys.filter((key) => ['active', 'rotating'].includes(keyStatus(key, now))).length
  if (active >= API_KEYS.active_max)
    return exceeded(`the account has ${active} active keys; allowed: at most ${API_KEYS.active_max}; revoke some first`)
  const of_day = keys.filter(({ created_at }) => created_at > now - MICROS_PER_DAY).length
  if (of_day < API_KEYS.of_day_max) return null
  return exceeded(`the account created ${of_day} keys within a day; allowed: at most ${API_KEYS.of_day_max}`)
}

function exceeded(message: string): Refusal {
  return { code: 'API_KEY_LIMIT_EXCEEDED', message }
}
