import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { type Device, type DevicePage, listDevices } from '../../api/devices.ts'
import { Age } from '../../components/age.tsx'
import { Choices } from '../../components/choices.tsx'
import { DeviceStatus } from '../../components/device-status.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { addDevice, patchConnector, tlsNote } from '../../ui/curl.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { useShell } from '../../ui/session.tsx'
import { WhitelistForm } from './whitelist-form.tsx'

const pageSize = 50
/** The most values that the API returns in one answer. */
const shownMax = 1_000
const typingMs = 300

/** The devices of a connector, those that were seen last, in the order of their names. */
export function DeviceListPane({ connector }: { readonly connector: Connector }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingMs)
  const [limit, setLimit] = useState(pageSize)
  const chooseDevice = (identity: string) =>
    navigate({
      to: '/connectors/$connector/devices/$identity',
      params: { connector: connector.id, identity },
    })
  const page = useLive({
    key: ['devices', connector.id, text, limit],
    read: (client, signal) => listDevices(client, connector.id, { limit, text }, signal),
    everyMs: listEveryMs,
    keepsBefore: true,
  })
  const devices = byName(page.data)
  return (
    <Pane
      title="Devices of the connector"
      query={page}
      aside={page.data !== undefined && <Faint>{countOf(page.data, text)}</Faint>}
      tools={
        <>
          <WhitelistForm connector={connector} onDone={chooseDevice} />
          <TextInput
            aria-label="Find an identity"
            placeholder="Find an identity"
            leftSection={<Icon name="search" />}
            size="xs"
            mb="xs"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </>
      }
    >
      {({ mayLoadMore }) => (
        <>
          {devices.length === 0 && <NoDevices connector={connector} text={text} />}
          <Choices
            label="Devices"
            items={devices}
            keyOf={({ identity }) => identity}
            chosen={undefined}
            onChoose={chooseDevice}
          >
            {(one) => <DeviceLine device={one} />}
          </Choices>
          {mayLoadMore && limit < shownMax && (
            <Button
              variant="default"
              size="xs"
              mt="xs"
              onClick={() => setLimit(Math.min(limit * 2, shownMax))}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </Pane>
  )
}

function byName(page: DevicePage | undefined): readonly Device[] {
  const compare = new Intl.Collator('en', { numeric: true }).compare
  return (page?.devices ?? []).toSorted((a, b) => compare(a.identity, b.identity))
}

function countOf({ devices, mayLoadMore, total }: DevicePage, text: string): string {
  const of = text === '' ? ` of ${total.toLocaleString('en')}` : ''
  return mayLoadMore ? `the ${devices.length} seen last${of}` : `${devices.length}`
}

function DeviceLine({ device }: { readonly device: Device }) {
  const { identity, status, online, lastip, lastseen } = device
  return (
    <>
      <Line ends>
        <span>{identity}</span>
        <DeviceStatus status={status} />
      </Line>
      <Faint>
        <span>{online ? 'online' : 'offline'}</span>
        <span>
          seen <Age at={lastseen} />
        </span>
        {lastip !== null && <span>{lastip}</span>}
      </Faint>
    </>
  )
}

function NoDevices({ connector, text }: { connector: Connector; text: string }) {
  const shell = useShell()
  const { enabled, generate_identity } = connector.provisioning
  if (text !== '') return <NextStep>No identity of this connector holds “{text}”.</NextStep>
  if (!enabled) {
    const on = { provisioning: { enabled: true } }
    return (
      <NextStep command={patchConnector(shell, connector, on)}>
        No device yet, and none can activate while provisioning is off. This switches it on:
      </NextStep>
    )
  }
  return (
    <NextStep command={addDevice(shell, connector)}>
      No device yet.{' '}
      {generate_identity
        ? 'A device registers itself with its activation:'
        : 'Let an identity in, then activate it as its device:'}{' '}
      {!connector.protocol.devmode && tlsNote}
    </NextStep>
  )
}
