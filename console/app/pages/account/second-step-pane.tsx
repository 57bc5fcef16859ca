import { Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import {
  confirmSecondStep,
  enrol,
  readSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
  type SecondStep,
} from '../../api/people/own-account.ts'
import type { Enrolment } from '../../api/people/sessions.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { Pane } from '../../components/pane.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './account.module.css'
import { stepTexts as texts } from './step-texts.ts'

type Opened = 'setUp' | 'renew' | 'remove'

/** The second step of the caller's sign-ins. */
export function SecondStepPane() {
  const t = useTexts(texts)
  const [opened, setOpened] = useState<Opened>()
  const [codes, setCodes] = useState<readonly string[]>()
  const step = useLive(['second-step'], readSecondStep)
  const close = () => setOpened(undefined)
  const done = (made: readonly string[]) => {
    close()
    setCodes(made)
  }
  return (
    <Pane title={t.title} query={step}>
      {(found) => (
        <>
          <State step={found} onOpen={setOpened} />
          {opened === 'setUp' && <SetUpDialog onDone={done} onClose={close} />}
          {opened === 'renew' && <RenewDialog onDone={done} onClose={close} />}
          {opened === 'remove' && <RemoveDialog onClose={close} />}
          {codes !== undefined && <Codes codes={codes} onClose={() => setCodes(undefined)} />}
        </>
      )}
    </Pane>
  )
}

type StateProps = { readonly step: SecondStep; readonly onOpen: (opened: Opened) => void }

function State({ step, onOpen }: StateProps) {
  const t = useTexts(texts)
  const { enabled, demanded, recovery_codes_left: left } = step
  return (
    <Stack gap="xs" align="start">
      <Badge
        tone={enabled ? 'good' : 'quiet'}
        icon={enabled ? 'check' : 'unlocked'}
        text={enabled ? t.on : t.off}
      />
      <Text size="sm">{enabled ? t.left(left) : t.about}</Text>
      {demanded && <Text size="sm">{t.demanded}</Text>}
      <Group gap="xs">
        {!enabled && <Action text={t.setUp} main onClick={() => onOpen('setUp')} />}
        {enabled && <Action text={t.renew} onClick={() => onOpen('renew')} />}
        {enabled && !demanded && <Action text={t.remove} onClick={() => onOpen('remove')} />}
      </Group>
    </Stack>
  )
}

type DialogProps = {
  readonly onDone: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** Asks for the password, then shows the key and asks for the first code. */
function SetUpDialog({ onDone, onClose }: DialogProps) {
  const t = useTexts(texts)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const begin = useChange<string>(async (client, password) =>
    setEnrolment(await enrol(client, { password })),
  )
  const [fault, setFault] = useState<string>()
  const confirm = useCode(confirmSecondStep, onDone)
  if (enrolment !== undefined) {
    return (
      <FormDialog title={t.setUp} action={t.confirm} {...confirm.dialog} onClose={onClose}>
        <Text size="sm">{t.add}</Text>
        <CopyText label={t.key} text={enrolment.secret.match(/.{1,4}/g)?.join(' ') ?? ''} />
        <CopyText label={t.address} text={enrolment.uri} />
        <CodeField fault={confirm.fault} />
      </FormDialog>
    )
  }
  const submit = (form: FormData) => {
    const password = `${form.get('password')}`
    setFault(password === '' ? t.needed : undefined)
    if (password !== '') begin.run(password)
  }
  const { isBusy, error } = begin
  return (
    <FormDialog title={t.setUp} action={t.next} onSubmit={submit} {...{ isBusy, error, onClose }}>
      <PasswordInput
        label={t.password}
        name="password"
        autoComplete="current-password"
        error={fault}
        data-autofocus
      />
    </FormDialog>
  )
}

function RenewDialog({ onDone, onClose }: DialogProps) {
  const t = useTexts(texts)
  const { dialog, fault } = useCode(renewRecoveryCodes, onDone)
  return (
    <FormDialog title={t.renew} action={t.renew} {...dialog} onClose={onClose}>
      <Text size="sm">{t.renewLoss}</Text>
      <CodeField fault={fault} />
    </FormDialog>
  )
}

function RemoveDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const t = useTexts(texts)
  const { dialog, fault } = useCode(removeSecondStep, onClose)
  return (
    <FormDialog title={t.remove} action={t.remove} {...dialog} onClose={onClose}>
      <Text size="sm">{t.removeLoss}</Text>
      <CodeField fault={fault} />
    </FormDialog>
  )
}

/** A change that a code confirms. */
function useCode<Answer>(
  work: (client: Client, given: { readonly code: string }) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const t = useTexts(texts)
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange<string>(async (client, code) =>
    onDone(await work(client, { code })),
  )
  const onSubmit = (form: FormData) => {
    const code = textOf(form, 'code')
    setFault(code === '' ? t.needed : undefined)
    if (code !== '') run(code)
  }
  return { fault, dialog: { isBusy, error, onSubmit } }
}

function CodeField({ fault }: { readonly fault: string | undefined }) {
  const t = useTexts(texts)
  return (
    <TextInput
      label={t.code}
      description={t.codeHint}
      name="code"
      autoComplete="one-time-code"
      error={fault}
      data-autofocus
    />
  )
}

/** The recovery codes, which cannot be shown again. */
function Codes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { codes, onClose } = props
  const t = useTexts(texts)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.keep}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t.once}</Text>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <Group justify="end">
          <Action text={t.kept} main onClick={onClose} data-autofocus />
        </Group>
      </Stack>
    </Modal>
  )
}
