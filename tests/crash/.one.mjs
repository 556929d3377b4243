import { planRound } from './round-plan.mjs';
import { playRound } from './round.mjs';
import { KILL_POINTS } from './kill-points.mjs';
const [from, to] = process.argv.slice(2).map(Number);
for (let i = from; i < to; i++) {
  const r = await playRound(planRound(1, i));
  console.log(i, r.plan.point.title, JSON.stringify(r.plan.choice), r.plan.start, r.plan.recovery, 'kills', r.kills, r.ms, 'ms', r.violations, r.files ?? '');
}
