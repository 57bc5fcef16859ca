import type { ServerResponse } from 'node:http'
import {
  type Clock,
  Fault,
  limits,
  readRequestInfo,
  type SharedBound,
  type VendorName,
} from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { findConnector, parseActivation } from './activate.ts'
import type { Answers } from './answer.ts'
import { authenticatePrevious, authenticateRequest } from './authenticate.ts'
import { download } from './download.ts'
import { findNewestUs } from './freshness.ts'
import { parseModifiedSince } from './headers.ts'
import { parseWait, waitForNewer } from './poll.ts'
import { formatReading, parseRead, read, type StateReading } from './read.ts'
import { formatConflicts, parseRecord } from './record.ts'
import { type DeviceRequest, hostLabel, readForm, readHeader, refuseWrongHost } from './request.ts'
import type { RequestLog } from './request-log.ts'
import type { Calls } from './routes.ts'
import { append, type DeviceWrites, parseWrites, type TakeMessage, takeMessage } from './write.ts'

/** The dependencies of the device API's calls. */
export type CallsOptions = {
  readonly provisioning: Provisioning
  readonly eventlog: EventLog
  readonly clock: Clock
  readonly takeMessage?: TakeMessage | undefined
  readonly vendors: readonly VendorName[]
  readonly answers: Answers
  /** Ends an open long poll; one function for each. */
  readonly openPolls: Set<() => void>
  readonly pollBound: SharedBound
  readonly openDownloads: Set<ServerResponse>
  readonly log: RequestLog
}

const usPerSecond = 1_000_000
const msPerSecond = 1_000

type Call = (
  options: CallsOptions,
  request: DeviceRequest,
  response: ServerResponse,
) => Promise<void>

const formOfActivation = {
  bytesMax: deviceApiLimits.activationBodyBytesMax,
  pairsMax: limits.formFieldsMax,
}

function readDeviceForm(request: DeviceRequest, pairsMax: number) {
  return readForm(request, { bytesMax: limits.deviceBodyBytesMax, pairsMax })
}

const activate: Call = async (options, request, response) => {
  refuseWrongHost(request, 'no sibling')
  const activation = parseActivation(await readForm(request, formOfActivation))
  const connector = await findConnector(options.provisioning, hostLabel(request), activation)
  const { identity, password } = activation
  request.subject = { connector, identity }
  const { connection } = request
  const authenticated = await authenticatePrevious(options, request)
  const input = { password, authenticated }
  const { token } = await options.provisioning.activate(connector, identity, connection, input)
  if (password === undefined) options.answers.text(response, token)
  else options.answers.noContent(response)
}

function appendWrites(
  options: CallsOptions,
  { connection, message }: DeviceRequest,
  device: Device,
  writes: DeviceWrites,
  at?: number,
): Promise<void> {
  return append(options, device, connection.presence, writes, at, readRequestInfo(message))
}

/** Writes values, then reads those that the query asks for. */
const write: Call = async (options, request, response) => {
  const device = await identify(options, request, response)
  const pairs = await readDeviceForm(request, deviceApiLimits.aliasesPerRequestMax)
  const aliases = parseRead(request.query)
  const nowUs = options.clock.nowUs()
  const writes = parseWrites(device, pairs, nowUs)
  await takeMessage(options, device, writes)
  await appendWrites(options, request, device, writes, nowUs)
  if (aliases.length === 0) return options.answers.noContent(response)
  options.log.read(request, device, aliases)
  answerReading(options, response, await read(options.provisioning, device, aliases))
}

/** Reads values; with a `Request-Timeout` it waits for a newer one. */
const poll: Call = async (options, request, response) => {
  const device = await identify(options, request, response)
  const aliases = parseRead(request.query)
  options.log.read(request, device, aliases)
  const waitMs = parseWait(readHeader(request, 'request-timeout'))
  const readNow = () => read(options.provisioning, device, aliases)
  if (waitMs === undefined) return answerReading(options, response, await readNow())
  requireDefined(device, aliases)
  const sinceUs = parseSince(request)
  const newer = await waitForNewer(options, device, {
    waitMs,
    sinceUs,
    connection: request.connection,
    response,
    readNow,
    authenticateAgain: async () => authenticateRequest(options, request),
  })
  if (newer === undefined) return options.answers.notModified(response)
  const newest = findNewestUs(newer, options.clock.nowUs())
  options.answers.form(response, formatReading(newer), Math.floor(newest / usPerSecond))
}

const record: Call = async (options, request, response) => {
  const device = await identify(options, request, response)
  const writes = parseRecord(
    device,
    await readDeviceForm(request, deviceApiLimits.pointsPerRecordMax),
  )
  if (!('payload' in writes)) {
    options.log.rejected(request, new Fault('timestamps_too_close'))
    return options.answers.conflict(response, formatConflicts(writes))
  }
  await takeMessage(options, device, writes)
  await appendWrites(options, request, device, writes)
  options.answers.noContent(response)
}

const content: Call = async (options, request, response) => {
  await download(options, request, response, await identify(options, request, response))
}

const timestamp: Call = async (options, _, response) => {
  options.answers.text(response, String(Math.floor(options.clock.nowMs() / msPerSecond)))
}

const address: Call = async (options, request, response) => {
  options.answers.text(response, request.connection.ip)
}

/** Binds the device API's calls to their dependencies. */
export function createCalls(options: CallsOptions): Calls {
  const bind = (call: Call) => (request: DeviceRequest, response: ServerResponse) =>
    call(options, request, response)
  return {
    activate: bind(activate),
    write: bind(write),
    poll: bind(poll),
    record: bind(record),
    content: bind(content),
    timestamp: bind(timestamp),
    address: bind(address),
  }
}

/** Authenticates a request, and logs that the device connected. */
async function identify(
  options: CallsOptions,
  request: DeviceRequest,
  response: ServerResponse,
): Promise<Device> {
  const { connection } = request
  connection.requestStarted(response)
  const device = await authenticateRequest(options, request)
  request.subject = device
  await connection.authenticated(device, response)
  return device
}

function answerReading(
  options: CallsOptions,
  response: ServerResponse,
  reading: StateReading,
): void {
  if (reading.pairs.length === 0) options.answers.noContent(response)
  else options.answers.form(response, formatReading(reading))
}

/** Rejects a poll for a single alias that the connector does not define: it could only time out. */
function requireDefined(device: Device, aliases: readonly string[]): void {
  const [only, ...others] = aliases
  if (only === undefined || others.length > 0 || device.connector.resources.has(only)) return
  throw new Fault('not_found', `The connector defines no resource ${only}.`)
}

/** Microseconds; undefined without the header. */
function parseSince(request: DeviceRequest): number | undefined {
  const header = readHeader(request, 'if-modified-since')
  if (header === undefined) return undefined
  const seconds = parseModifiedSince(header)
  if (seconds === undefined) {
    throw new Fault('malformed_request', 'If-Modified-Since is neither seconds nor a date.')
  }
  return Math.round(seconds * usPerSecond)
}
