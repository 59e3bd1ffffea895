import type { ErrorCode } from '../../primitives/error-codes.ts'
import { CreateKeyRequest, KEY_ID, RevokeKeyRequest, RotateKeyRequest } from '../requests/key-request.ts'
import { ApiKey, IssuedApiKey, KeyAuditItem, Signer } from '../resources/api-key.ts'
import { PAGING } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { ONCE, READ, WRITE } from './trading-shared.ts'

const shared = { tag: 'API keys', scope: 'keys:write' } as const
const read = { ...READ, tag: 'API keys', scope: 'keys:read' } as const
const path_parameters = { key_id: KEY_ID }

const AUTHORIZATION_ERRORS = [
  'SIGNATURE_INVALID',
  'SIGNATURE_TYPE_UNSUPPORTED',
  'SIGNATURE_AUTHORIZATION_MISMATCH',
  'SIGNATURE_AUTHORIZATION_EXPIRED',
  'SIGNATURE_SIGNER_UNAUTHORIZED',
  'REPLAY_AUTHORIZATION_NONCE_REUSED',
] as const satisfies readonly ErrorCode[]

const CONSENT =
  "For another key than that of the request, the account's owner signs a SvcApiAuthorization of that key's id and scopes, as for a new key."

/** Endpoints of keys and signers. The scope keys:write includes keys:read. */
export const TRADING_KEY_ENDPOINTS = {
  create_api_key: {
    ...WRITE,
    ...shared,
    operation_id: 'create_api_key',
    path: '/account/api-keys',
    summary: 'Create a key',
    description: `The account's owner signs a SvcApiAuthorization of the key's id and scopes. An HMAC secret is returned only here. ${ONCE}`,
    body: CreateKeyRequest,
    data: IssuedApiKey,
    success: 201,
    errors: [...AUTHORIZATION_ERRORS, 'API_KEY_ID_TAKEN', 'API_KEY_LIMIT_EXCEEDED', 'ACCOUNT_NOT_FOUND'],
  },
  list_api_keys: {
    ...read,
    operation_id: 'list_api_keys',
    path: '/account/api-keys',
    summary: 'List keys',
    description:
      'All keys of the account, including revoked ones; sorted by (created_at, key_id). Secrets are not included.',
    path_parameters: {},
    query: PAGING,
    data: ApiKey,
    envelope: 'collection',
    errors: [],
  },
  rotate_api_key: {
    ...WRITE,
    ...shared,
    operation_id: 'rotate_api_key',
    path: '/account/api-keys/{key_id}/rotate',
    path_parameters,
    summary: 'Rotate the secret of a key',
    description: `secret_version increases by one; the previous secret stays valid for overlap_seconds. ${CONSENT} ${ONCE}`,
    body: RotateKeyRequest,
    data: IssuedApiKey,
    errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE', ...AUTHORIZATION_ERRORS],
  },
  revoke_api_key: {
    ...WRITE,
    ...shared,
    operation_id: 'revoke_api_key',
    path: '/account/api-keys/{key_id}/revoke',
    path_parameters,
    summary: 'Revoke a key',
    description: `Permanent. Within a second, requests with the key are rejected like those with an unknown key. ${CONSENT} ${ONCE}`,
    body: RevokeKeyRequest,
    data: ApiKey,
    errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE', ...AUTHORIZATION_ERRORS],
  },
  list_signers: {
    ...read,
    operation_id: 'list_signers',
    path: '/account/signers',
    summary: 'List who may sign orders',
    description:
      'The owner, and signers of active keys with the scope orders:write, while their authorizations are in force; sorted by (since, authorization_id).',
    path_parameters: {},
    query: PAGING,
    data: Signer,
    envelope: 'collection',
    errors: [],
  },
  list_api_key_audit: {
    ...read,
    operation_id: 'list_api_key_audit',
    path: '/account/api-keys/{key_id}/audit-log',
    summary: 'List the audit trail of a key',
    description:
      'Changes of the key, and its requests, refused ones too, counted by minute, outcome and address; sorted by (occurred_at, audit_id), descending. Requests appear within seconds and are kept for 90 days.',
    path_parameters,
    query: PAGING,
    data: KeyAuditItem,
    envelope: 'collection',
    errors: ['API_KEY_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>
