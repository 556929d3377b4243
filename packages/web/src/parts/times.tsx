import { durationText } from '@countersign/client';
import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/** The present, to the second, while something on the screen depends on it. */
function useNow(isTicking = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A moment: the time of a day that is today, else the day; all of it on hovering. */
export function Moment({ at }: { readonly at: number }) {
  const date = new Date(at);
  const isToday = DAY.format(date) === DAY.format(new Date());
  return (
    <time dateTime={date.toISOString()} title={TIME.format(date)}>
      {isToday ? CLOCK.format(date) : DAY.format(date)}
    </time>
  );
}

export function Since({ at }: { readonly at: number }) {
  return <>{durationText(Math.max(0, useNow() - at))}</>;
}
