import { writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { verifyEverything } from '../../../client/everything/verify-everything.ts'
import { keyText } from '../../../pipelines/transparency/signed-note.ts'
import { serve } from '../../api/acceptance/served.ts'
import { LOG_KEY, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { alteredFetch } from './altered-fetch.ts'
import { ALTERED_ACT, ALTERED_KINDS, fieldsOf, unfoundFields } from './altered-fields.ts'
import { makeDeployment } from './deployment.ts'

test('m', async () => {
  const root = await makeDeployment(tempFolder())
  const api = await serve(root)
  const T = { vkey: keyText(LOG_KEY.key), witnesses: [keyText(WITNESS_KEY.key)] }
  const v = (a: any) => {
    vi.stubGlobal('fetch', alteredFetch(a))
    return verifyEverything({ base_url: api.base_url, ...T, since: '2090-01-01T00:00:00Z' })
  }
  const c = process.cpuUsage()
  const un = await unfoundFields(await fieldsOf(ALTERED_KINDS, v), v)
  const un2 = await unfoundFields(await fieldsOf([ALTERED_ACT], v), v)
  const d = process.cpuUsage(c)
  console.log((d.user + d.system) / 1000, JSON.stringify({ ...un, ...un2 }, null, 1))
  const paths = new Map<string, unknown>()
  vi.stubGlobal(
    'fetch',
    alteredFetch({ api: (path, body) => paths.set(path.replace(/(idv|mkt|out|obs|ixo)_\w+/g, '$1'), body.data) }),
  )
  await verifyEverything({ base_url: api.base_url, ...T })
  writeFileSync('/tmp/run/fix-gov-paths.json', JSON.stringify([...paths], null, 1))
}, 200000)
