import { Code, Group, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type Endpoint, listPathParts, pathAt } from '../../../api/endpoints.ts'
import { Action } from '../../../components/controls/action.tsx'
import { LongField, TextField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { socketCommand } from '../../../ui/curl.ts'
import { useShell } from '../../../ui/session.tsx'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { Parts } from './request-form.tsx'
import { endpointTexts } from './texts.ts'

type Props = { readonly solution: string; readonly endpoint: Endpoint }

/** An event on a websocket. */
type Frame = {
  readonly number: number
  readonly kind: 'opened' | 'sent' | 'received' | 'closed'
  readonly text: string
}

const framesMax = 200

/** Connects to a websocket of a solution, sends messages, and shows what comes. */
export function SocketForm({ solution, endpoint }: Props) {
  const t = useTexts(endpointTexts)
  const { origin } = useShell()
  const [parts, setParts] = useState<Readonly<Record<string, string>>>({})
  const [query, setQuery] = useState('')
  const [message, setMessage] = useState('')
  const [isTried, setTried] = useState(false)
  const { isOpen, isBusy, frames, open, send, close } = useSocket()
  const missing = listPathParts(endpoint.path).filter((name) => (parts[name] ?? '') === '')
  const url = origin.replace(/^http/, 'ws') + pathAt(solution, endpoint, parts, query)
  const submit = () => {
    if (isOpen) return send(message)
    setTried(true)
    if (missing.length === 0) open(url)
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Faint>{t.about}</Faint>
      <Stack gap="xs" mt="xs" maw="46rem">
        <fieldset disabled={isOpen || isBusy} style={{ display: 'contents' }}>
          <Parts
            names={listPathParts(endpoint.path)}
            parts={parts}
            missing={isTried ? missing : []}
            onChange={setParts}
          />
          <TextField label={t.query} value={query} onChange={setQuery} />
        </fieldset>
        {isOpen && (
          <LongField
            label={t.message}
            autosize
            maxRows={12}
            value={message}
            onChange={setMessage}
          />
        )}
        <Group gap="xs">
          <Action text={isOpen ? t.send : t.connect} submit busy={isBusy} />
          {isOpen && <Action text={t.disconnect} onClick={close} />}
        </Group>
        {frames.length > 0 && <Frames frames={frames} />}
        <CopyText label="websocat" text={socketCommand(url)} />
      </Stack>
    </Form>
  )
}

function Frames({ frames }: { readonly frames: readonly Frame[] }) {
  const t = useTexts(endpointTexts)
  return (
    <ul aria-label={t.frames} className={styles.problems}>
      {frames.map(({ number, kind, text }) => (
        <li key={number}>
          <Line>
            <Faint inline>{kind === 'closed' ? text : t[kind]}</Faint>
            {(kind === 'sent' || kind === 'received') && (
              <Code className={styles.code} style={{ whiteSpace: 'pre-wrap' }}>
                {text}
              </Code>
            )}
          </Line>
        </li>
      ))}
    </ul>
  )
}

/** A websocket, and the newest of what happened on it. It is closed with the page. */
function useSocket() {
  const t = useTexts(endpointTexts)
  const language = useLanguage()
  const socket = useRef<WebSocket>(undefined)
  const [state, setState] = useState<'closed' | 'opening' | 'open'>('closed')
  const [frames, setFrames] = useState<readonly Frame[]>([])
  const add = (kind: Frame['kind'], text: string) =>
    setFrames((now) => [
      { number: (now[0]?.number ?? 0) + 1, kind, text },
      ...now.slice(0, framesMax),
    ])
  useEffect(() => () => socket.current?.close(), [])
  return {
    isOpen: state === 'open',
    isBusy: state === 'opening',
    frames,
    open(url: string) {
      const made = new WebSocket(url)
      made.binaryType = 'arraybuffer'
      made.onopen = () => {
        setState('open')
        add('opened', '')
      }
      made.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
        add(
          'received',
          typeof data === 'string' ? data : t.bytesOf(data.byteLength.toLocaleString(language)),
        )
      made.onclose = ({ code, reason }) => {
        setState('closed')
        add('closed', t.closed(code, reason))
      }
      setState('opening')
      socket.current = made
    },
    send(text: string) {
      socket.current?.send(text)
      add('sent', text)
    },
    close: () => socket.current?.close(),
  }
}
