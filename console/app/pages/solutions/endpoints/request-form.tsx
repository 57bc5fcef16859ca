import { Code, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import {
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  listPathParts,
  pathAt,
  sendRequest,
} from '../../../api/endpoints.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { LongField, TextField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { requestCommand } from '../../../ui/curl.ts'
import { useShell } from '../../../ui/session.tsx'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { endpointTexts } from './texts.ts'

type Props = { readonly solution: string; readonly endpoint: Endpoint }

const bodiless: readonly string[] = ['GET', 'HEAD']
const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** Sends a request to an endpoint, and shows the answer and the command that does the same. */
export function RequestForm({ solution, endpoint }: Props) {
  const t = useTexts(endpointTexts)
  const { origin } = useShell()
  const hasBody = !bodiless.includes(endpoint.method)
  const [parts, setParts] = useState<Readonly<Record<string, string>>>({})
  const [query, setQuery] = useState('')
  const [headers, setHeaders] = useState(hasBody ? 'Content-Type: application/json' : '')
  const [body, setBody] = useState(hasBody ? '{}' : '')
  const [isTried, setTried] = useState(false)
  const [answer, setAnswer] = useState<EndpointAnswer>()
  const missing = listPathParts(endpoint.path).filter((name) => (parts[name] ?? '') === '')
  const { pairs, wrong } = readHeaders(headers)
  const request: EndpointRequest = {
    method: endpoint.method,
    path: pathAt(solution, endpoint, parts, query),
    headers: pairs,
    body: hasBody ? body : '',
  }
  const { isBusy, error, run } = useChange<EndpointRequest>(async (_client, wanted) => {
    setAnswer(await sendRequest(origin, wanted))
  })
  const submit = () => {
    setTried(true)
    setAnswer(undefined)
    if (missing.length === 0 && wrong === undefined) run(request)
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Faint>{t.about}</Faint>
      <Stack gap="xs" mt="xs" maw="46rem">
        <Parts
          names={listPathParts(endpoint.path)}
          parts={parts}
          missing={isTried ? missing : []}
          onChange={setParts}
        />
        <TextField label={t.query} placeholder="limit=10" value={query} onChange={setQuery} />
        <Content {...{ headers, wrong, setHeaders, setBody }} body={hasBody ? body : undefined} />
        <Group>
          <Action text={t.send} submit busy={isBusy} />
        </Group>
        {error !== null && <Trouble error={error} />}
        {answer !== undefined && <Answer answer={answer} />}
        <CopyText label={t.command} text={requestCommand(origin, request)} />
      </Stack>
    </Form>
  )
}

type ContentProps = {
  readonly headers: string
  /** The first line that is no header. */
  readonly wrong: string | undefined
  /** Undefined for a method without one. */
  readonly body: string | undefined
  readonly setHeaders: (headers: string) => void
  readonly setBody: (body: string) => void
}

/** The fields of headers and body. */
function Content({ headers, wrong, body, setHeaders, setBody }: ContentProps) {
  const t = useTexts(endpointTexts)
  return (
    <>
      <LongField
        label={t.headers}
        description={t.headersAbout}
        autosize
        styles={monospace}
        error={wrong !== undefined && t.headersWrong(wrong)}
        value={headers}
        onChange={setHeaders}
      />
      {body !== undefined && (
        <LongField
          label={t.body}
          autosize
          minRows={3}
          maxRows={16}
          styles={monospace}
          spellCheck={false}
          value={body}
          onChange={setBody}
        />
      )}
    </>
  )
}

type PartsProps = {
  readonly names: readonly string[]
  readonly parts: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  readonly onChange: (parts: Readonly<Record<string, string>>) => void
}

/** A field for each part of a path that is to be filled. */
export function Parts({ names, parts, missing, onChange }: PartsProps) {
  const t = useTexts(endpointTexts)
  return names.map((name) => (
    <TextField
      key={name}
      label={`{${name}}`}
      autoComplete="off"
      error={missing.includes(name) && t.missing}
      value={parts[name] ?? ''}
      onChange={(next) => onChange({ ...parts, [name]: next })}
    />
  ))
}

const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/

/** The headers in a text, and the first line that is none. */
function readHeaders(text: string) {
  const pairs: [string, string][] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const found = headerLine.exec(line)
    if (found === null) return { pairs, wrong: line }
    pairs.push([found[1] ?? '', found[2] ?? ''])
  }
  return { pairs, wrong: undefined }
}

const shownCharsMax = 100_000

function Answer({ answer }: { readonly answer: EndpointAnswer }) {
  const t = useTexts(endpointTexts)
  const language = useLanguage()
  const { status, tookMs, headers, text, bytes } = answer
  const isGood = status >= 200 && status < 300
  // Browsers give neither the status nor the address of a redirection.
  const isRedirect = status === 0
  return (
    <section role="status" aria-label={t.answer}>
      <Line>
        <Badge
          tone={isGood ? 'good' : 'bad'}
          icon={isGood ? 'check' : 'stop'}
          text={isRedirect ? t.redirect : String(status)}
        />
        <Faint inline>{t.took(tookMs.toLocaleString(language))}</Faint>
      </Line>
      <Faint>
        {headers.map(([name, value]) => (
          <span key={name} className={styles.name}>
            {name}: {value}
          </span>
        ))}
      </Faint>
      {bytes === 0 && <Faint>{t.empty}</Faint>}
      {bytes > 0 && text === undefined && <Faint>{t.binary(bytes.toLocaleString(language))}</Faint>}
      {bytes > 0 && text !== undefined && (
        <Code block className={styles.code} mt="xs" style={{ whiteSpace: 'pre-wrap' }}>
          {text.slice(0, shownCharsMax)}
        </Code>
      )}
    </section>
  )
}
