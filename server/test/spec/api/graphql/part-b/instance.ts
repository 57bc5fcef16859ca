import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TestPlatform } from '../../../../fixtures/platform.ts'
import { post, type WholeAnswer } from '../../../../fixtures/wire/graphql.ts'

/** An instance as integrations reach it: an address, and API tokens made in Setup. */
export type Instance = ReturnType<typeof openInstance>

type NewToken = {
  readonly role?: string
  readonly rate_limits?: { readonly requests?: number; readonly time?: number }
}

export function openInstance(platform: TestPlatform) {
  const { httpUrl, basic, token } = platform
  const endpoint = { url: `${httpUrl}/api/graphql` }
  /** Sends to the management API, as the account holder. */
  const manage = async <Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
  ) => {
    const response = await fetch(`${httpUrl}/api:1/${path}`, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const read = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${read}`)
    return (read === '' ? {} : JSON.parse(read)) as Body
  }
  const automation = `Automation ${token}`
  const send = async (body: object | string, as = automation): Promise<WholeAnswer> => {
    return (await post(endpoint, as, body)).answer
  }
  return {
    ...platform,
    automation,
    manage,
    send,
    endpoint,
    /** Makes an API token. @returns the value of its header. */
    async makeToken(wanted: NewToken = {}): Promise<{ id: string; as: string }> {
      const given = { name: 'integration', role: 'Viewer', ...wanted }
      const made = await manage<{ id: string; token: string }>('POST', 'api-tokens', given)
      return { id: made.id, as: `Automation ${made.token}` }
    },
    /** The data of an answer without errors. */
    async ask<Data = Record<string, unknown>>(query: string, variables?: object): Promise<Data> {
      const { data, errors } = await send({ query, variables })
      assert.equal(errors, undefined, JSON.stringify(errors))
      return data as Data
    },
    /** Makes an asset. @returns its id. */
    async makeAsset(name: string): Promise<string> {
      const create = 'mutation($input: CreateAssetInput!) { createAsset(input: $input) { id } }'
      const { data } = await send({ query: create, variables: { input: { name } } })
      return (data?.createAsset as { id: string }).id
    },
  }
}

/** Sends one request over HTTPS. */
export async function sendOverTls(
  { tlsUrl, caFile }: TestPlatform,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<WholeAnswer> {
  const sent = request(`${tlsUrl}/api/graphql`, {
    method: 'POST',
    ca: readFileSync(caFile),
    servername: 'localhost',
    headers,
  })
  sent.end(JSON.stringify(body))
  const answer = await new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => resolve(text(response)))
  })
  return JSON.parse(answer) as WholeAnswer
}

export const listMessages = ({ errors }: WholeAnswer) => errors?.map(({ message }) => message)
