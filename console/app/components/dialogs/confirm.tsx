import { Group, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Client } from '../../api/client.ts'
import { useChange } from '../../ui/change.ts'
import { useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { Trouble } from '../trouble.tsx'

type ConfirmProps = {
  readonly opened: boolean
  readonly title: string
  /** The text of the button that confirms. */
  readonly action: string
  readonly isBusy: boolean
  readonly error: Error | null
  /** False: something that the dialog asks for is missing. */
  readonly mayConfirm?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** A description of the loss. */
  readonly children: ReactNode
}

/** A dialog before a change that cannot be undone; the button with the first focus cancels. */
export function Confirm(props: ConfirmProps) {
  const { opened, title, action, isBusy, error, onConfirm, onCancel, children } = props
  const t = useTexts()
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      <Text size="sm" component="div">
        {children}
      </Text>
      {error !== null && <Trouble error={error} />}
      <Group justify="end" mt="md">
        <Action text={t.cancel} data-autofocus onClick={onCancel} />
        <Action
          text={action}
          main
          color="red"
          busy={isBusy}
          disabled={props.mayConfirm === false}
          onClick={onConfirm}
        />
      </Group>
    </Modal>
  )
}

/** A change that cannot be undone. */
type Asked = {
  /** The question. */
  readonly title: string
  /** The text of the button that confirms. */
  readonly action: string
  readonly loss: ReactNode
  readonly work: (client: Client) => Promise<unknown>
  readonly onDone?: (() => unknown) | undefined
}

/** Returns what asks before a change, and the dialog of the question, for the page to show. */
export function useAsk(): readonly [ask: (asked: Asked) => void, question: ReactNode] {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return [setAsked, asked && <Question {...asked} onClose={close} />]
}

type QuestionProps = Asked & { readonly onClose: () => void }

/** The dialog of the question, for what opens it by itself. */
export function Question({ title, action, loss, work, onDone, onClose }: QuestionProps) {
  const { isBusy, error, run } = useChange<void>(work)
  const confirm = () =>
    run(undefined, () => {
      onClose()
      onDone?.()
    })
  return (
    <Confirm opened onConfirm={confirm} onCancel={onClose} {...{ title, action, isBusy, error }}>
      {loss}
    </Confirm>
  )
}

type ActionProps = Asked & { readonly disabled?: boolean }

/** A button of a change that cannot be undone, with the question before it. */
export function AskedAction({ disabled = false, ...asked }: ActionProps) {
  const [ask, question] = useAsk()
  return (
    <>
      <Action text={asked.action} disabled={disabled} onClick={() => ask(asked)} />
      {question}
    </>
  )
}
