import type { CancelTransferRequest, TransferRequest } from '../../../protocol/requests/transfer-request.ts'
import { transferResource } from '../../../trading/projections/transfer.ts'
import { missing } from '../../missing-resource.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'
import { instantOrNull, partOf, shownPage, textOrNull } from './parameters.ts'

export const TRANSFER_ROUTES = {
  request_transfer: requestTransfer,
  cancel_transfer: cancelTransfer,
  list_transfers: listTransfers,
  get_transfer: getTransfer,
} as const satisfies Partial<PrivateHandlers>

async function requestTransfer(request: PrivateRequest): Promise<PrivateAnswer> {
  const { account_id, direction, asset_id, amount, destination = null } = request.body as TransferRequest
  const refusal = refusedAccount(request.caller, account_id)
  if (refusal !== null) return refusedReference(refusal)
  const terms = { direction, asset_id, amount, destination }
  return submit(request, { kind: 'request_transfer', identity: identityOf(request), ...terms })
}

async function cancelTransfer(request: PrivateRequest): Promise<PrivateAnswer> {
  const { reason = null } = request.body as CancelTransferRequest
  const transfer_id = request.parameters.transfer_id as string
  return submit(request, { kind: 'cancel_transfer', identity: identityOf(request), transfer_id, reason })
}

async function listTransfers(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const filters = {
    direction: textOrNull(request, 'direction'),
    state: textOrNull(request, 'state'),
    requested_after: instantOrNull(request, 'requested_after'),
    requested_before: instantOrNull(request, 'requested_before'),
  }
  const page = await trading.reads.transfers(caller.account_id, filters, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ requested_at, transfer_id }) => [requested_at, transfer_id],
    recordOf: (row) => transferResource(row, row.asset_scale),
  })
}

async function getTransfer({ trading, caller, parameters }: PrivateRequest): Promise<PrivateAnswer> {
  const transfer_id = parameters.transfer_id as string
  const row = await trading.reads.transfer(caller.account_id, transfer_id)
  if (row === null) throw missing(transfer_id.startsWith('xfer') ? 'booked_transfer' : 'transfer', transfer_id)
  return shown(transferResource(row, row.asset_scale))
}
