import { CONTRACT_VERSION } from '../contract/operations.ts'
import { isNewer } from '../http/contract-notice.ts'
import { type AnswerApi, type OnWait, openPublicApi } from '../http/public-api.ts'
import { signRequest } from '../signing/sign-request.ts'
import { type Credentials, requestKey } from '../trading/credentials.ts'
import { createCheckedApi } from './checked-api.ts'
import type { Facts } from './compare-shown.ts'
import { METHODOLOGY_PATH } from './methodology-records.ts'
import type { Findings } from './report.ts'

type Options = {
  readonly base_url: string
  readonly credentials?: Credentials | null
  readonly signal?: AbortSignal
  readonly on_wait?: OnWait
}

type Checked = { readonly api: AnswerApi; readonly methodologies: readonly Facts[] }

/** Opens the API of a service so that each answer is compared with the contract. `methodologies`: those that were read alone. */
export function openChecked(options: Options, findings: Findings): Checked {
  const { base_url, credentials = null, signal, on_wait } = options
  const key = credentials === null ? null : requestKey(credentials)
  let schema_version: unknown = CONTRACT_VERSION
  const api = openPublicApi(base_url, {
    ...(signal === undefined ? {} : { signal }),
    ...(on_wait === undefined ? {} : { on_wait }),
    ...(key === null ? {} : { signed: { key, sign: signRequest } }),
    on_meta: (meta) => {
      schema_version = meta.schema_version
    },
  })
  const methodologies: Facts[] = []
  const checked = createCheckedApi(api, {
    findings,
    isNewer: () => isNewer(schema_version, CONTRACT_VERSION),
    on_record: (path, record) => {
      if (path === METHODOLOGY_PATH) methodologies.push(record)
    },
  })
  return { api: checked, methodologies }
}
