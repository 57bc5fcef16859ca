import type { Contract } from '../../../../src/api/management/index.ts'

/** The ids that requests name, by the parameter of a path or by a word of the tables below. */
export type Ids = Readonly<Record<string, string>>

/** A request of the management API; a body of a type is sent as it is, and any other as JSON. */
export type Given = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly type?: string
}

/** Parameters of a query without which an operation is refused. */
const queries: Readonly<Record<string, (ids: Ids) => Readonly<Record<string, string>>>> = {
  deleteBusiness: () => ({ confirm: 'Deleted' }),
  deleteConnector: () => ({ confirm: 'Pumps', cascade: 'true' }),
  deleteConnectorService: () => ({ confirm: 'Pumps', cascade: 'true' }),
  deleteGroup: () => ({ confirm: 'Plant 3' }),
  deleteSolution: () => ({ confirm: 'Theirs' }),
  getInterfaceClient: () => ({ language: 'lua' }),
  getModuleAddress: () => ({ url: 'https://module.example' }),
  removeModule: () => ({ force: 'true' }),
  traceValue: ({ signal = '' }) => ({ signal }),
  uploadWorkInstruction: () => ({ filename: 'walk.txt' }),
}

/** Bodies that name something that is there, in place of the example of the contract. */
const bodies: Readonly<Record<string, (ids: Ids) => unknown>> = {
  addConfiguration: (ids) => ({ service: ids['connectors/:connector'] }),
  addModule: ({ url }) => ({ url }),
  beginTotp: ({ password }) => ({ password }),
  changeBusiness: () => ({ totp_demanded: false }),
  changeModule: () => ({ parameters: {} }),
  changePassword: ({ password }) => ({ present: password, password }),
  createCampaign: ({ content }) => ({ content, tag: { name: 'site', value: 'north' } }),
  createInvitation: ({ caller }) => ({ email: `i${caller}@acme.example`, role: 'Viewer' }),
  createReport: ({ signal }) => ({ start: 1, end: 2, signals: [{ id: signal }] }),
  createSolution: ({ caller }) => ({ id: `s${caller}`, name: 'Pump station' }),
  createUser: ({ caller, password }) => ({
    email: `u${caller}@acme.example`,
    password,
    role: 'Viewer',
  }),
  orderReprovision: ({ identity }) => ({ identity }),
  publishListing: ({ url }) => ({ definitionUrl: `${url}/api-docs` }),
  setState: () => ({ level: 10 }),
}

const form = 'walk'
const file = ['Content-Disposition: form-data; name="identities"; filename="a.csv"', '', 'ID', 'w1']
const bytes = { type: 'text/plain', body: 'walk' }

/** Bodies that are no JSON. */
const uploads: Readonly<Record<string, Required<Pick<Given, 'type' | 'body'>>>> = {
  importAssets: { type: 'text/csv', body: 'name\nwalk\n' },
  importIdentities: {
    type: `multipart/form-data; boundary=${form}`,
    body: [`--${form}`, ...file, `--${form}--`, ''].join('\r\n'),
  },
  putContent: bytes,
  putRevocationList: { type: 'application/x-pem-file', body: 'walk' },
  putStaticFile: bytes,
  uploadStaticFile: bytes,
  uploadWorkInstruction: bytes,
}

/** A name that stands for another one in the path of an operation, which uses up what it names. */
const named: Readonly<Record<string, Ids>> = {
  addConfiguration: { 'solution/:solution': 'subscriber' },
  deleteBusiness: { 'businesses/:business': 'deleted business' },
  discardFailure: { 'failures/:id': 'failure 1' },
  discardStageFailure: { '/:id': 'stage failure 1' },
  discardFailedCall: { 'failed-calls/:id': 'call 1' },
  endUserSession: { 'sessions/:session': 'session of the user' },
  getBusinessDeletion: { 'businesses/:business': 'deleted business' },
}

const parameter = /([^/]*)\/:([a-z][a-z_]*)/gi

/** The request of an operation that is valid for who may send it. */
export function makeRequest(contract: Contract, ids: Ids): Given {
  const { id, method } = contract
  const { body, example } = contract.details()
  const path = contract.path.replaceAll(parameter, (_, before: string, name: string) => {
    const place = `${before}/:${name}`
    const found = ids[named[id]?.[place] ?? place] ?? ids[name]
    return `${before}/${encodeURIComponent(found ?? 'none')}`
  })
  const query = new URLSearchParams(queries[id]?.(ids)).toString()
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    ...(body !== undefined && (uploads[id] ?? { body: bodies[id]?.(ids) ?? example?.request })),
  }
}
