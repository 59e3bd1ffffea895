import { ServiceError } from '../../primitives/errors.ts'
import type { ServerSecurity } from '../../workflows/server/server-file.ts'
import type { Settings } from '../configuration.ts'

/** Empty security settings, for a server on this machine. */
export const NO_SECURITY = {
  temporal_tls: '',
  temporal_tls_server_ca_cert_path: '',
  temporal_tls_server_name: '',
  temporal_tls_client_cert_path: '',
  temporal_tls_client_key_path: '',
  temporal_api_key: '',
} as const satisfies Partial<Settings>

type SecuritySettings = Pick<Settings, keyof typeof NO_SECURITY>

const SWITCHES: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false }

/**
 * Returns the connection security of the configured Temporal server; null: no TLS. TLS is used if TEMPORAL_TLS is on, or unset while another
 * TLS setting or the API key is set.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: inconsistent settings; an API key is never sent without TLS
 */
export function connectionSecurity(settings: SecuritySettings): ServerSecurity | null {
  const { temporal_tls: tls, temporal_tls_client_cert_path: cert, temporal_tls_client_key_path: key } = settings
  if (tls !== '' && SWITCHES[tls] === undefined) throw refusal('TEMPORAL_TLS', tls, '1, 0, true or false')
  if (cert === '' && key !== '') throw refusal('TEMPORAL_TLS_CLIENT_CERT_PATH', '', 'the certificate of the key')
  if (cert !== '' && key === '') throw refusal('TEMPORAL_TLS_CLIENT_KEY_PATH', '', 'the key of the certificate')
  const given = Object.keys(NO_SECURITY).find((name) => settings[name as keyof SecuritySettings] !== '')
  if (given === undefined) return null
  if (tls !== '' && SWITCHES[tls] === false) {
    if (settings.temporal_api_key === '') return null
    throw refusal('TEMPORAL_TLS', tls, '1 or none where TEMPORAL_API_KEY is set')
  }
  return {
    server_ca_path: settings.temporal_tls_server_ca_cert_path || null,
    server_name: settings.temporal_tls_server_name || null,
    client: cert === '' ? null : { cert_path: cert, key_path: key },
    api_key: settings.temporal_api_key || null,
  }
}

function refusal(field: string, value: string, allowed: string): ServiceError {
  const message = `${field} is ${JSON.stringify(value)}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field, value })
}
