import { Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Found, search } from '../api/search.ts'
import { Icon } from '../components/icon.tsx'
import { Faint } from '../components/line.tsx'
import { Trouble } from '../components/trouble.tsx'
import { useSignedIn } from '../ui/session.tsx'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './search.module.css'

const texts = defineTexts({
  title: ['Search devices, assets and solutions', 'Geräte, Anlagen und Lösungen suchen'],
  solution: ['Solution', 'Lösung'],
  results: ['Results', 'Treffer'],
  nothing: (text: string) => [
    `Nothing has “${text}” in its name.`,
    `Nichts hat „${text}“ im Namen.`,
  ],
})

const typingMs = 200
const eachMax = 8

/** Finds by name; the arrow keys choose, Enter opens. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const router = useRouter()
  const { client, caller } = useSignedIn()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const [text] = useDebouncedValue(typed.trim(), typingMs)
  const { permissions } = caller
  const query = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => search(client, { text, limit: eachMax, permissions }, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const found = text === '' ? [] : (query.data ?? [])

  function open(one: Found | undefined): void {
    if (one === undefined) return
    onClose()
    router.history.push(one.path)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % found.length)
    }
    if (event.key === 'Enter') open(found[chosen])
  }

  return (
    <Modal opened onClose={onClose} title={t.title} yOffset="10vh" size="lg">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t.title}
        aria-expanded={found.length > 0}
        leftSection={<Icon name="search" />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      {query.error !== null && <Trouble error={query.error} />}
      {found.length === 0 && text !== '' && query.isSuccess && (
        <Text size="sm" c="dimmed" mt="sm" role="status">
          {t.nothing(text)}
        </Text>
      )}
      {found.length > 0 && <Results {...{ found, chosen, open }} />}
    </Modal>
  )
}

type ResultsProps = {
  readonly found: readonly Found[]
  readonly chosen: number
  readonly open: (one: Found) => void
}

function Results({ found, chosen, open }: ResultsProps) {
  const t = useTexts(texts)
  const id = useId()
  return (
    <div role="listbox" aria-label={t.results} className={styles.list}>
      {found.map((one, index) => (
        <div
          key={`${one.kind}:${one.id}`}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={styles.found}
          onClick={() => open(one)}
          onKeyDown={({ key }) => key === 'Enter' && open(one)}
        >
          <span className={styles.kind}>{t[one.kind]}</span>
          <span>
            {one.title} {one.detail !== one.title && <Faint inline>{one.detail}</Faint>}
          </span>
        </div>
      ))}
    </div>
  )
}
