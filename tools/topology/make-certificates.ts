import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Files of an authority or of a certificate, in PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string }

export type Signed = {
  /** Names of the certificate, such as `DNS:engine` or `IP:127.0.0.1`. */
  readonly names: readonly string[]
  /** Last second of its time, such as 20200102000000Z; missing: ten days from now. */
  readonly not_after?: string
  /** Uses of its key, such as `serverAuth`; missing: both ends of a link. */
  readonly uses?: string
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const DAYS = ['-days', '10']

/** Makes an authority that signs certificates; needs the program openssl. */
export async function makeAuthority(folder: string, name: string): Promise<CertificateFiles> {
  const files = filesOf(folder, name)
  const subject = ['-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE']
  await run('openssl', ['req', '-x509', ...CURVE, ...DAYS, ...subject, '-keyout', files.key, '-out', files.cert])
  return files
}

/** Makes a certificate of an authority, with a key that its owner alone can read. */
export async function makeCertificate(
  folder: string,
  name: string,
  authority: CertificateFiles,
  { names, not_after, uses = 'serverAuth,clientAuth' }: Signed,
): Promise<CertificateFiles> {
  const files = filesOf(folder, name)
  const [request, extensions] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)]
  await writeFile(extensions, `subjectAltName=${names.join(',')}\nextendedKeyUsage=${uses}\n`)
  await run('openssl', ['req', '-new', ...CURVE, '-subj', `/CN=${name}`, '-keyout', files.key, '-out', request])
  const asked = ['-in', request, '-out', files.cert, '-extfile', extensions]
  if (not_after === undefined) {
    await run('openssl', ['x509', '-req', ...asked, ...DAYS, '-CA', authority.cert, '-CAkey', authority.key])
  } else {
    const times = ['-startdate', '20200101000000Z', '-enddate', not_after]
    const signer = ['-config', await bookOf(folder, name), '-cert', authority.cert, '-keyfile', authority.key]
    await run('openssl', ['ca', '-batch', '-notext', '-rand_serial', ...asked, ...times, ...signer])
  }
  await chmod(files.key, 0o600)
  return files
}

/** Returns the texts of a certificate, as an end of the engine's link takes them. */
export async function readCertificate(authority: CertificateFiles, { cert, key }: CertificateFiles) {
  const [ca, own, secret] = await Promise.all([authority.cert, cert, key].map((file) => readFile(file, 'utf8')))
  return { ca: ca!, cert: own!, key: secret! }
}

/** Makes the book that `openssl ca` keeps, the only command of old versions that takes a time in the past. */
async function bookOf(folder: string, name: string): Promise<string> {
  const [book, file] = [join(folder, `${name}.book`), join(folder, `${name}.conf`)]
  const lines = [
    `database=${book}`,
    `new_certs_dir=${folder}`,
    'default_md=sha256',
    'policy=any',
    `serial=${book}.serial`,
  ]
  await writeFile(book, '')
  await writeFile(file, `[ca]\ndefault_ca=own\n[own]\n${lines.join('\n')}\n[any]\ncommonName=supplied\n`)
  return file
}

function filesOf(folder: string, name: string): CertificateFiles {
  return { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
}
