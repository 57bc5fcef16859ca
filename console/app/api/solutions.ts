import { type components, fillPath, type operations, unwrap, upload } from '@millrace/client'
import type { Client } from './client.ts'
import { find, get, patch, post, remove, removeWith } from './endpoint.ts'

type Schemas = components['schemas']

export type ScriptLine = Schemas['ScriptLine']
export type Script = Schemas['Script']
export type StaticFile = Schemas['StaticFile']
/** A service of a solution, with its settings. */
export type ServiceConfiguration = Schemas['ServiceConfiguration']

const onePath = '/api:1/solution/{solution}'

/** @throws ApiError `already_exists`, `invalid_argument`, and others. */
export const createSolution = post('/api:1/solution')

/** Reads the dependants of a solution, and what it keeps. */
export const readSolutionDependants = get(`${onePath}/dependants`)

/** Deletes a solution with what depends on it. @param confirm its name or its id. */
export const deleteSolution = removeWith(onePath)

/** In the order of their files. */
export const listScripts = get(`${onePath}/script`, 'scripts')

const scriptPath = `${onePath}/script/{name}` as const

/** Without a kind in the query, the script is of that of which its name is the shape. */
export const getScript = find(scriptPath)

/** @throws ApiError `script_refused` with file and line where it cannot be compiled, and others. */
export function putScript(
  client: Client,
  solution: string,
  { name, kind }: { readonly name: string; readonly kind?: Script['kind'] },
  source: string,
): Promise<Script> {
  const params = { path: { solution, name }, query: kind === undefined ? {} : { kind } }
  return unwrap(client.PUT(scriptPath, { params, body: { source } }))
}

export const deleteScript = removeWith(scriptPath)

/** In the order in which they were added. */
export const listConfigurations = get(`${onePath}/serviceconfig`, 'items')

/** The settings of a service, which it checks itself. */
export type ServiceSettings = Pick<ServiceConfiguration, 'parameters' | 'triggers'>

/** The settings of a service with their schema, and which of its secrets are set. */
export type ServiceContract =
  operations['getServiceSettings']['responses'][200]['content']['application/json']

export const getServiceSettings = get(`${onePath}/serviceconfig/{id}/settings`)

export const addConfiguration = post(`${onePath}/serviceconfig`)

const configurationPath = `${onePath}/serviceconfig/{id}` as const

export function changeConfiguration(
  client: Client,
  solution: string,
  id: string,
  body: ServiceSettings,
): Promise<ServiceConfiguration> {
  const params = { path: { solution, id } }
  return unwrap(client.PUT(configurationPath, { params, body }))
}

export const removeConfiguration = remove(configurationPath)

/** By their paths. */
export const listStaticFiles = get(`${onePath}/static`, 'files')

const filePath = `${onePath}/static/{file}` as const

export function uploadStaticFile(
  client: Client,
  solution: string,
  path: string,
  bytes: Blob,
): Promise<Response> {
  const url = fillPath(filePath, { path: { solution, file: path } })
  return upload(client, url, bytes, { contentType: 'application/octet-stream' })
}

export const deleteStaticFile = remove(filePath)

export type SolutionChange = Schemas['SolutionChange']
/** A variable that scripts read; its value is shown to nobody. */
export type Variable = Schemas['Variable']

/** @throws ApiError `invalid_argument` with the name of a field, and others. */
export const updateSolution = patch(onePath)

/** By name. */
export const listVariables = get(`${onePath}/env`, 'variables')

/** Sets values of variables; null removes one. */
export const changeVariables = patch(`${onePath}/env`)

export type SolutionUse = components['schemas']['SolutionUse']

/** Reads the use that a solution makes of its limits now. */
export const getUsage = get(`${onePath}/usage`, 'items')
