/** The data that a GraphQL document brings; @throws Error with the errors where there are some. */
export async function askGraphql<Data>(
  httpUrl: string,
  token: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const response = await fetch(`${httpUrl}/api/graphql`, {
    method: 'POST',
    headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data
}
