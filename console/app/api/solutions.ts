import { type components, fillPath, type operations, unwrap, upload } from '@millrace/client'
import type { Client } from './client.ts'

type Schemas = components['schemas']

export type ScriptLine = Schemas['ScriptLine']
export type Script = Schemas['Script']
export type StaticFile = Schemas['StaticFile']
/** A service of a solution, with its settings. */
export type ServiceConfiguration = Schemas['ServiceConfiguration']

type NewSolution = operations['createSolution']['requestBody']['content']['application/json']

const onePath = '/api:1/solution/{solution}'

/** @throws ApiError `already_exists`, `invalid_argument`, and others. */
export function createSolution(client: Client, body: NewSolution): Promise<Schemas['Solution']> {
  return unwrap(client.POST('/api:1/solution', { body }))
}

/** What depends on a solution, and what it keeps. */
export function readSolutionDependants(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<Schemas['DeletionPreview']> {
  const params = { path: { solution } }
  return unwrap(client.GET(`${onePath}/dependants`, { params, signal }))
}

/** Deletes a solution with what depends on it. @param confirm its name or its id. */
export async function deleteSolution(
  client: Client,
  solution: string,
  confirm: string,
): Promise<void> {
  const params = { path: { solution }, query: { confirm } }
  await unwrap(client.DELETE(onePath, { params }))
}

/** In the order of their files. */
export async function listScripts(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<ScriptLine[]> {
  const params = { path: { solution } }
  const { scripts } = await unwrap(client.GET(`${onePath}/script`, { params, signal }))
  return scripts
}

/** Identifies a script of a solution; without a kind, that of which its name is the shape. */
export type ScriptKey = { readonly name: string; readonly kind?: Script['kind'] }

function scriptParams(solution: string, { name, kind }: ScriptKey) {
  return { path: { solution, name }, query: kind === undefined ? {} : { kind } }
}

const scriptPath = `${onePath}/script/{name}` as const

export function getScript(
  client: Client,
  solution: string,
  key: ScriptKey,
  signal: AbortSignal,
): Promise<Script> {
  return unwrap(client.GET(scriptPath, { params: scriptParams(solution, key), signal }))
}

/** @throws ApiError `script_refused` with file and line where it cannot be compiled, and others. */
export function putScript(
  client: Client,
  solution: string,
  key: ScriptKey,
  source: string,
): Promise<Script> {
  const params = scriptParams(solution, key)
  return unwrap(client.PUT(scriptPath, { params, body: { source } }))
}

export function deleteScript(client: Client, solution: string, key: ScriptKey): Promise<unknown> {
  return unwrap(client.DELETE(scriptPath, { params: scriptParams(solution, key) }))
}

/** In the order in which they were added. */
export async function listConfigurations(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<ServiceConfiguration[]> {
  const params = { path: { solution } }
  const { items } = await unwrap(client.GET(`${onePath}/serviceconfig`, { params, signal }))
  return items
}

/** The settings of a service, which it checks itself. */
export type ServiceSettings = Pick<ServiceConfiguration, 'parameters' | 'triggers'>

/** The settings of a service with their schema, and which of its secrets are set. */
export type ServiceContract =
  operations['getServiceSettings']['responses'][200]['content']['application/json']

export function getServiceSettings(
  client: Client,
  solution: string,
  id: string,
  signal: AbortSignal | null = null,
): Promise<ServiceContract> {
  const params = { path: { solution, id } }
  const path = '/api:1/solution/{solution}/serviceconfig/{id}/settings'
  return unwrap(client.GET(path, { params, signal }))
}

export function addConfiguration(
  client: Client,
  solution: string,
  body: Partial<ServiceSettings> & { readonly service: string; readonly script_key?: string },
): Promise<ServiceConfiguration> {
  const params = { path: { solution } }
  return unwrap(client.POST(`${onePath}/serviceconfig`, { params, body }))
}

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

export function removeConfiguration(
  client: Client,
  solution: string,
  id: string,
): Promise<unknown> {
  return unwrap(client.DELETE(configurationPath, { params: { path: { solution, id } } }))
}

/** By their paths. */
export async function listStaticFiles(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<StaticFile[]> {
  const params = { path: { solution } }
  const { files } = await unwrap(client.GET(`${onePath}/static`, { params, signal }))
  return files
}

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

export function deleteStaticFile(client: Client, solution: string, path: string): Promise<unknown> {
  return unwrap(client.DELETE(filePath, { params: { path: { solution, file: path } } }))
}

export type SolutionChange = Schemas['SolutionChange']
/** A variable that scripts read; its value is shown to nobody. */
export type Variable = Schemas['Variable']

/** @throws ApiError `invalid_argument` with the name of a field, and others. */
export function updateSolution(
  client: Client,
  solution: string,
  body: SolutionChange,
): Promise<Schemas['Solution']> {
  return unwrap(client.PATCH(onePath, { params: { path: { solution } }, body }))
}

/** By name. */
export async function listVariables(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<Variable[]> {
  const params = { path: { solution } }
  const { variables } = await unwrap(client.GET(`${onePath}/env`, { params, signal }))
  return variables
}

/** Sets values of variables; null removes one. */
export function changeVariables(
  client: Client,
  solution: string,
  values: Readonly<Record<string, string | null>>,
): Promise<unknown> {
  const params = { path: { solution } }
  return unwrap(client.PATCH(`${onePath}/env`, { params, body: { values } }))
}

export type SolutionUse = components['schemas']['SolutionUse']

/** What a solution uses of its limits now. */
export async function getUsage(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<SolutionUse[]> {
  const params = { path: { solution } }
  const { items } = await unwrap(client.GET(`${onePath}/usage`, { params, signal }))
  return items
}
