import Type, { type Static } from 'typebox'
import { TRANSFER_DIRECTIONS } from '../../vocabulary/transfer.ts'
import { closed, idOf, orNull, PLAIN_LINE, texts } from '../scalars.ts'
import { ACCOUNT_ID } from './order-request.ts'

export const TRANSFER_ID = idOf('trf', 'transfer_id')

const Line = Type.String({ minLength: 1, maxLength: 200, pattern: PLAIN_LINE })

export const TransferRequest = Type.Object(
  {
    account_id: ACCOUNT_ID,
    direction: texts(TRANSFER_DIRECTIONS),
    asset_id: idOf('asset', 'asset_id'),
    amount: Type.String({
      pattern: '^(0|[1-9]\\d{0,14})(\\.\\d{1,8})?$',
      description: 'decimal above 0 with at most the digits of the asset',
      examples: ['25.00'],
    }),
    destination: Type.Optional(orNull(Line, 'where a withdrawal goes, in words of the rail')),
  },
  { ...closed, title: 'TransferRequest' },
)
export type TransferRequest = Static<typeof TransferRequest>

export const CancelTransferRequest = Type.Object(
  { reason: Type.Optional(orNull(Line)) },
  { ...closed, title: 'CancelTransferRequest' },
)
export type CancelTransferRequest = Static<typeof CancelTransferRequest>
