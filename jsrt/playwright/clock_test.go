package playwright

import "testing"

func TestClockMovesTheDocumentsOfAContext(t *testing.T) {
	s := open(t)
	s.want(`
		const seen = [];
		await page.exposeFunction('note', x => { seen.push(x) });
		await page.clock.install({ time: 0 });
		await page.clock.pauseAt(1000);
		await page.evaluate(() => { let n = 0; setInterval(() => note(++n), 10) });
		await page.clock.runFor(50);
		return seen;
	`, `[1,2,3,4,5]`)
	// Later documents, other pages and frames go by the same clock.
	s.want(`
		await page.goto(NEAR + '/frame-outer.html');
		const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { window.open('about:blank') })]);
		const other = await context.newPage();
		await page.clock.fastForward('01:00');
		const all = [...page.frames(), popup, other];
		const times = await Promise.all(all.map(f => f.evaluate(() => Date.now())));
		await popup.close();
		return [times, page.clock === context.clock];
	`, `[[61050,61050,61050,61050],true]`)
	s.want(`
		const waited = page.evaluate(async () => { const t = performance.now(); await new Promise(f => setTimeout(f, 1000)); return performance.now() - t });
		await page.clock.runFor(1000);
		return [await waited, await page.waitForFunction(() => Date.now() > 0).then(h => h.jsonValue())];
	`, `[1000,true]`)
	s.want(`
		await page.clock.setFixedTime(new Date('2024-05-06T07:08:09Z'));
		const fixed = await page.evaluate(() => new Date().toISOString());
		await page.clock.setSystemTime('2001-01-01');
		return [fixed, await page.evaluate(() => new Date().getFullYear())];
	`, `["2024-05-06T07:08:09.000Z",2001]`)
	s.wantError(`await page.clock.setSystemTime('invalid')`, "clock.setSystemTime: Invalid date: invalid")
	s.wantError(`await page.clock.runFor('12:02:34:10')`, "clock.runFor: Clock only understands numbers, 'mm:ss' and 'hh:mm:ss'")
	s.wantError(`await page.clock.runFor('99')`, "clock.runFor: Invalid time 99")
	s.wantError(`await page.clock.pauseAt(1)`, "clock.pauseAt: Error: Cannot fast-forward to the past")
}
