import { mkdirSync } from 'node:fs'
import { makeAuthority, makeCertificate } from './make-certificates.ts'

/** Makes an authority, a certificate for callers and one for each host of an engine, to try TLS: FOLDER HOST... */
const [folder, ...hosts] = process.argv.slice(2)
if (folder === undefined || hosts.length === 0) {
  process.stderr.write('usage: node --import tsx tools/topology/certificates.ts FOLDER HOST...\n')
  process.exit(2)
}
mkdirSync(folder, { recursive: true, mode: 0o700 })
const authority = await makeAuthority(folder, 'authority')
await makeCertificate(folder, 'caller', authority, { names: ['DNS:caller'] })
for (const host of hosts) await makeCertificate(folder, host, authority, { names: [`DNS:${host}`] })
