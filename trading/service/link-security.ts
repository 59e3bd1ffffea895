import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ServiceError } from '../../primitives/errors.ts'

/** PEM texts for the TLS of the engine's link. Each end shows a certificate of the same authority, so it is mutual. */
export type LinkSecurity = {
  /** Certificates of the authority of this deployment. */
  readonly ca: string
  /** Certificate of this process with its chain. */
  readonly cert: string
  readonly key: string
}

/** Options of both ends: each refuses a certificate of another authority, and an expired one. */
export function secureOptions(security: LinkSecurity) {
  return { ...security, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true } as const
}

/**
 * Refuses files that no caller could use.
 * @param host name or address that callers check the certificate for
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: they cannot be read, do not belong together, or are not of the host
 */
export function requireUsable(security: LinkSecurity, host: string): void {
  try {
    createSecureContext(secureOptions(security))
  } catch (error) {
    const problem = `no certificate with its key, and an authority: ${(error as Error).message}`
    const fields = 'TIDEMARK_ENGINE_TLS_CERT_FILE, TIDEMARK_ENGINE_TLS_KEY_FILE or TIDEMARK_ENGINE_TLS_CA_FILE'
    throw new ServiceError('VALIDATION_USAGE_INVALID', `${fields} holds ${problem}`, {}, error)
  }
  const certificate = new X509Certificate(security.cert)
  if ((isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined) return
  const names = certificate.subjectAltName ?? 'no name'
  const message = `TIDEMARK_ENGINE_TLS_CERT_FILE is of ${names}; needed: the advertised host ${host}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'TIDEMARK_ENGINE_TLS_CERT_FILE', value: names })
}

/** Reasons for which TLS fails, by the codes of Node and OpenSSL. */
const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/CERT_HAS_EXPIRED|CERTIFICATE_EXPIRED/, 'certificate has expired'],
  [/CERT_NOT_YET_VALID/, 'certificate is not valid yet'],
  [/ALTNAME_INVALID/, 'certificate is of another host'],
  [/PEER_DID_NOT_RETURN|CERTIFICATE_REQUIRED/, 'certificate is missing'],
  [/INVALID_PURPOSE|UNSUPPORTED_CERTIFICATE/, 'certificate is not for this use: it needs clientAuth and serverAuth'],
  [/SELF_SIGNED|UNABLE_TO|UNKNOWN_CA|SIGNATURE_FAILURE|BAD_CERTIFICATE/, 'certificate is not of our authority'],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH|RECORD_LAYER/, 'end of the link does not speak TLS'],
]

/** Returns why TLS with the other end failed, in a few words after "its"; null: for no reason of TLS. */
export function securityReason(error: unknown): string | null {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return REASONS.find(([known]) => known.test(code) || known.test(message))?.[1] ?? null
}
