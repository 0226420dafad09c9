// Intl for English as Node writes it. Another locale, and an option whose answer is not known here, is an error that names it, never an
// English answer under another name.
(function (host) {
  'use strict';
  const define = (target, members) => {
    for (const key of Reflect.ownKeys(members)) {
      const d = Object.getOwnPropertyDescriptor(members, key);
      d.enumerable = false;
      Object.defineProperty(target, key, d);
    }
  };
  const refuse = what => { throw new RangeError(what + ' is not supported in code that runs here; only English (en-US) formatting is'); };
  const locale = locales => {
    if (locales === undefined) return 'en-US';
    if (locales === null) throw new TypeError('Cannot convert undefined or null to object');
    const list = typeof locales === 'string' ? [locales] : [...locales].map(String);
    if (list.length === 0) return 'en-US';
    for (const l of list) {
      if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(l)) throw new RangeError('Incorrect locale information provided');
    }
    const first = list[0];
    if (/^en(-us)?$/i.test(first)) return first.length === 2 ? 'en' : 'en-US';
    return refuse('the locale ' + first);
  };
  const pick = (options, key, allowed, fallback) => {
    const v = options[key];
    if (v === undefined) return fallback;
    const s = String(v);
    if (allowed && !allowed.includes(s)) throw new RangeError(`Value ${s} out of range for Intl options property ${key}`);
    return s;
  };
  const whole = (options, key, min, max, fallback) => {
    const v = options[key];
    if (v === undefined) return fallback;
    const n = Number(v);
    if (!(n >= min && n <= max)) throw new RangeError(`${key} value is out of range.`);
    return Math.floor(n);
  };

  // Numbers. A decimal is {digits, point}: the value is 0.digits × 10^point.
  const decimal = x => {
    if (typeof x === 'bigint') {
      const s = String(x < 0n ? -x : x);
      return { digits: s, point: s.length };
    }
    let [mantissa, exponent] = String(Math.abs(x)).split('e');
    let [int, frac = ''] = mantissa.split('.');
    let point = int.length + Number(exponent ?? 0);
    let digits = int + frac;
    const lead = digits.match(/^0*/)[0].length;
    digits = digits.slice(lead);
    point -= lead;
    return digits === '' ? { digits: '0', point: 1 } : { digits, point };
  };
  const roundAt = (d, keep) => {
    if (keep >= d.digits.length) return d;
    if (keep < 0) return { digits: '0', point: 1 };
    const up = d.digits[keep] >= '5';
    let digits = d.digits.slice(0, keep);
    if (!up) return digits.replace(/0+$/, '') === '' ? { digits: '0', point: 1 } : { digits, point: d.point };
    let i = keep - 1;
    while (i >= 0 && digits[i] === '9') i--;
    if (i < 0) return { digits: '1', point: d.point + 1 };
    return { digits: digits.slice(0, i) + String(Number(digits[i]) + 1), point: d.point };
  };
  const plain = (d, minFraction, minInteger) => {
    let int = d.point <= 0 ? '0' : d.digits.slice(0, d.point).padEnd(d.point, '0');
    let frac = d.point >= d.digits.length ? '' : d.point < 0 ? '0'.repeat(-d.point) + d.digits : d.digits.slice(d.point);
    frac = frac.replace(/0+$/, '').padEnd(minFraction, '0');
    int = int.padStart(minInteger, '0');
    return [int, frac];
  };
  const currencyDigits = c => ['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'UGX', 'XAF', 'XOF', 'XPF', 'RWF', 'KMF', 'GNF', 'DJF', 'BIF', 'VUV'].includes(c) ? 0
    : ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].includes(c) ? 3 : 2;
  const symbols = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', BRL: 'R$', CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', MXN: 'MX$', HKD: 'HK$',
    TWD: 'NT$', ILS: '₪', VND: '₫', PHP: '₱', XAF: 'FCFA', XOF: 'F\u202fCFA', XPF: 'CFPF' };
  const narrow = { ...symbols, CNY: '¥', CAD: '$', AUD: '$', NZD: '$', MXN: '$', HKD: '$', TWD: '$', RUB: '₽', TRY: '₺', UAH: '₴', PLN: 'zł', SEK: 'kr', NOK: 'kr', DKK: 'kr',
    CZK: 'Kč', HUF: 'Ft' };

  class NumberFormat {
    #o;
    constructor(locales, options = {}) {
      if (options === null) throw new TypeError('Cannot convert undefined or null to object');
      const o = { locale: locale(locales), numberingSystem: 'latn' };
      if (options.numberingSystem !== undefined && options.numberingSystem !== 'latn') refuse('the numbering system ' + options.numberingSystem);
      o.style = pick(options, 'style', ['decimal', 'percent', 'currency', 'unit'], 'decimal');
      if (o.style === 'unit') refuse('the number style unit');
      if (options.currency !== undefined) {
        if (!/^[A-Za-z]{3}$/.test(String(options.currency))) throw new RangeError('Invalid currency code : ' + options.currency);
      }
      if (o.style === 'currency') {
        if (options.currency === undefined) throw new TypeError('Currency code is required with currency style.');
        o.currency = String(options.currency).toUpperCase();
        o.currencyDisplay = pick(options, 'currencyDisplay', ['code', 'symbol', 'narrowSymbol', 'name'], 'symbol');
        if (o.currencyDisplay === 'name') refuse('currencyDisplay name');
        o.currencySign = pick(options, 'currencySign', ['standard', 'accounting'], 'standard');
      }
      o.notation = pick(options, 'notation', ['standard', 'scientific', 'engineering', 'compact'], 'standard');
      if (o.notation === 'scientific' || o.notation === 'engineering') refuse('the notation ' + o.notation);
      if (o.notation === 'compact') o.compactDisplay = pick(options, 'compactDisplay', ['short', 'long'], 'short');
      if (options.roundingMode !== undefined && options.roundingMode !== 'halfExpand') refuse('roundingMode ' + options.roundingMode);
      if (options.roundingIncrement !== undefined && Number(options.roundingIncrement) !== 1) refuse('roundingIncrement');
      if (options.trailingZeroDisplay !== undefined && options.trailingZeroDisplay !== 'auto') refuse('trailingZeroDisplay');
      o.minimumIntegerDigits = whole(options, 'minimumIntegerDigits', 1, 21, 1);
      const [lowDefault, highDefault] = o.style === 'currency' && o.notation === 'standard' ? [currencyDigits(o.currency), currencyDigits(o.currency)]
        : o.style === 'percent' || o.notation === 'compact' ? [0, 0] : [0, 3];
      if (options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined) {
        o.minimumSignificantDigits = whole(options, 'minimumSignificantDigits', 1, 21, 1);
        o.maximumSignificantDigits = whole(options, 'maximumSignificantDigits', o.minimumSignificantDigits, 21, 21);
      } else if (o.notation !== 'compact' || options.minimumFractionDigits !== undefined || options.maximumFractionDigits !== undefined) {
        let low = whole(options, 'minimumFractionDigits', 0, 100, undefined);
        let high = whole(options, 'maximumFractionDigits', 0, 100, undefined);
        if (low === undefined) low = high === undefined ? lowDefault : Math.min(lowDefault, high);
        else if (high === undefined) high = Math.max(highDefault, low);
        if (high === undefined) high = highDefault;
        if (low > high) throw new RangeError('maximumFractionDigits value is out of range.');
        o.minimumFractionDigits = low;
        o.maximumFractionDigits = high;
      }
      const g = options.useGrouping;
      o.useGrouping = g === undefined ? (o.notation === 'compact' ? 'min2' : 'auto') : g === false || g === 'false' ? false : g === true || g === 'true' ? 'always' : pick({ g: String(g) }, 'g', ['auto', 'always', 'min2']);
      o.signDisplay = pick(options, 'signDisplay', ['auto', 'never', 'always', 'exceptZero', 'negative'], 'auto');
      this.#o = o;
    }
    resolvedOptions() { return { ...this.#o, roundingIncrement: 1, roundingMode: 'halfExpand', roundingPriority: 'auto', trailingZeroDisplay: 'auto' }; }
    get format() { return value => this.formatToParts(value).map(p => p.value).join(''); }
    formatRange() { return refuse('NumberFormat.prototype.formatRange'); }
    formatRangeToParts() { return refuse('NumberFormat.prototype.formatRangeToParts'); }
    formatToParts(value) {
      const o = this.#o;
      let x = typeof value === 'bigint' ? value : Number(value);
      const nan = Number.isNaN(x);
      const negative = !nan && (x < 0 || Object.is(x, -0));
      const parts = [];
      const add = (type, text) => parts.push({ type, value: text });
      let zero = false;
      if (nan) {
        add('nan', 'NaN');
      } else if (x === Infinity || x === -Infinity) {
        add('infinity', '∞');
      } else {
        let d = decimal(x);
        if (o.style === 'percent' && d.digits !== '0') d = { digits: d.digits, point: d.point + 2 };
        let suffix = '';
        const round = v => {
          if (o.maximumSignificantDigits !== undefined) return roundAt(v, o.maximumSignificantDigits);
          if (o.maximumFractionDigits !== undefined) return roundAt(v, v.point + o.maximumFractionDigits);
          return v.point >= 2 ? roundAt(v, v.point) : roundAt(v, 2);
        };
        if (o.notation === 'compact') {
          const at = v => v.digits === '0' ? 0 : Math.min(Math.max(Math.floor((v.point - 1) / 3), 0), 4);
          let k = at(d);
          let r = round({ digits: d.digits, point: d.point - 3 * k });
          if (r.point > 3 && k < 4) r = round({ digits: d.digits, point: d.point - 3 * ++k });
          suffix = (o.compactDisplay === 'long' ? ['', 'thousand', 'million', 'billion', 'trillion'] : ['', 'K', 'M', 'B', 'T'])[k];
          d = r;
        } else {
          d = round(d);
        }
        zero = /^0*$/.test(d.digits);
        let minFraction = o.minimumFractionDigits ?? 0;
        if (o.minimumSignificantDigits !== undefined) minFraction = Math.max(0, o.minimumSignificantDigits - (zero ? 1 : d.point));
        const [int, frac] = plain(d, minFraction, o.minimumIntegerDigits);
        const least = o.useGrouping === 'min2' ? 5 : 4;
        if (o.useGrouping === false || int.length < least) {
          add('integer', int);
        } else {
          const head = int.length % 3 || 3;
          add('integer', int.slice(0, head));
          for (let i = head; i < int.length; i += 3) {
            add('group', ',');
            add('integer', int.slice(i, i + 3));
          }
        }
        if (frac !== '') {
          add('decimal', '.');
          add('fraction', frac);
        }
        if (suffix) {
          if (o.compactDisplay === 'long') add('literal', ' ');
          add('compact', suffix);
        }
      }
      const sign = o.signDisplay === 'never' ? '' : o.signDisplay === 'always' ? (negative ? '-' : '+') : o.signDisplay === 'exceptZero' ? (zero || nan ? '' : negative ? '-' : '+')
        : o.signDisplay === 'negative' ? (negative && !zero ? '-' : '') : negative ? '-' : '';
      const before = [];
      if (o.style === 'percent') add('percentSign', '%');
      if (o.style === 'currency') {
        const s = o.currencyDisplay === 'code' ? o.currency : (o.currencyDisplay === 'narrowSymbol' ? narrow : symbols)[o.currency] ?? o.currency;
        before.push({ type: 'currency', value: s });
        if (/[A-Za-z]$/.test(s)) before.push({ type: 'literal', value: '\u00a0' });
      }
      if (sign === '-' && o.currencySign === 'accounting') return [{ type: 'literal', value: '(' }, ...before, ...parts, { type: 'literal', value: ')' }];
      if (sign) before.unshift({ type: sign === '-' ? 'minusSign' : 'plusSign', value: sign });
      return [...before, ...parts];
    }
  }

  // Dates.
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const styles = {
    date: { full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, long: { year: 'numeric', month: 'long', day: 'numeric' },
      medium: { year: 'numeric', month: 'short', day: 'numeric' }, short: { year: '2-digit', month: 'numeric', day: 'numeric' } },
    time: { full: null, long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' }, medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
      short: { hour: 'numeric', minute: '2-digit' } },
  };
  const dateFields = ['weekday', 'year', 'month', 'day'];
  const timeFields = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];
  const two = n => String(n).padStart(2, '0');
  class DateTimeFormat {
    #o; #fields;
    constructor(locales, options = {}, required = 'any', defaults = 'date') {
      if (options === null) throw new TypeError('Cannot convert undefined or null to object');
      const o = { locale: locale(locales), calendar: 'gregory', numberingSystem: 'latn' };
      for (const key of ['calendar', 'numberingSystem']) {
        if (options[key] !== undefined && options[key] !== o[key]) refuse(`the ${key} ${options[key]}`);
      }
      o.timeZone = host.zoneName(options.timeZone === undefined ? undefined : String(options.timeZone));
      const f = {};
      const text = ['narrow', 'short', 'long'], digits = ['2-digit', 'numeric'];
      f.weekday = pick(options, 'weekday', text);
      if (options.era !== undefined) refuse('the era of a date');
      f.year = pick(options, 'year', digits);
      f.month = pick(options, 'month', [...digits, ...text]);
      f.day = pick(options, 'day', digits);
      if (options.dayPeriod !== undefined) refuse('the option dayPeriod');
      f.hour = pick(options, 'hour', digits);
      f.minute = pick(options, 'minute', digits);
      f.second = pick(options, 'second', digits);
      f.fractionalSecondDigits = whole(options, 'fractionalSecondDigits', 1, 3);
      f.timeZoneName = pick(options, 'timeZoneName', ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric']);
      if (f.timeZoneName !== undefined && !['short', 'shortOffset', 'longOffset'].includes(f.timeZoneName)) refuse('timeZoneName ' + f.timeZoneName);
      const dateStyle = pick(options, 'dateStyle', ['full', 'long', 'medium', 'short']);
      const timeStyle = pick(options, 'timeStyle', ['full', 'long', 'medium', 'short']);
      if (dateStyle || timeStyle) {
        const set = Object.keys(f).find(k => f[k] !== undefined);
        if (set) throw new TypeError(`Can't set option ${set} when ${dateStyle ? 'dateStyle' : 'timeStyle'} is used`);
        if (dateStyle && required === 'time' || timeStyle && required === 'date') throw new TypeError(`Invalid option : ${dateStyle && required === 'time' ? 'dateStyle' : 'timeStyle'}`);
        if (timeStyle === 'full') refuse('timeStyle full');
        Object.assign(f, dateStyle && styles.date[dateStyle], timeStyle && styles.time[timeStyle]);
        Object.assign(o, dateStyle && { dateStyle }, timeStyle && { timeStyle });
      } else {
        const has = keys => keys.some(k => f[k] !== undefined);
        const need = required === 'date' ? !has(dateFields) : required === 'time' ? !has(timeFields) : !has(dateFields) && !has(timeFields);
        if (need && (defaults === 'date' || defaults === 'all')) Object.assign(f, { year: 'numeric', month: 'numeric', day: 'numeric' });
        if (need && (defaults === 'time' || defaults === 'all')) Object.assign(f, { hour: 'numeric', minute: 'numeric', second: 'numeric' });
      }
      if (f.hour !== undefined) {
        const cycle = pick(options, 'hourCycle', ['h11', 'h12', 'h23', 'h24']);
        o.hourCycle = options.hour12 === undefined ? cycle ?? 'h12' : options.hour12 ? 'h12' : 'h23';
        o.hour12 = o.hourCycle === 'h11' || o.hourCycle === 'h12';
      }
      this.#o = o;
      this.#fields = f;
      // ICU has a pattern for these sets of fields; for others its answer is not known here.
      const set = dateFields.filter(k => f[k] !== undefined).join(' ');
      if (!['', 'year month day', 'weekday year month day', 'month day', 'weekday month day', 'year month', 'year', 'month', 'day', 'weekday'].includes(set))
        refuse('a date of ' + set);
      const time = ['hour', 'minute', 'second'].filter(k => f[k] !== undefined).join(' ');
      if (!['', 'hour minute second', 'hour minute', 'hour', 'minute second', 'second'].includes(time)) refuse('a time of ' + time);
      if (f.hour === undefined && time !== '' && set !== '') refuse('a time without the hour beside a date');
      if (f.fractionalSecondDigits !== undefined && f.second === undefined) refuse('fractions without seconds');
    }
    resolvedOptions() {
      if (this.#o.timeZone === 'Local') refuse("the machine's time zone has no name, and Intl.DateTimeFormat.prototype.resolvedOptions of it");
      const out = { ...this.#o };
      for (const [k, v] of Object.entries(this.#fields)) if (v !== undefined && !out.dateStyle && !out.timeStyle) out[k] = v;
      return out;
    }
    get format() { return date => this.formatToParts(date).map(p => p.value).join(''); }
    formatRange() { return refuse('DateTimeFormat.prototype.formatRange'); }
    formatRangeToParts() { return refuse('DateTimeFormat.prototype.formatRangeToParts'); }
    formatToParts(date) {
      const ms = date === undefined ? Date.now() : Number(date);
      if (!(Math.abs(ms) <= 8.64e15)) throw new RangeError('Invalid time value');
      const { offset, name } = host.zone(Math.floor(ms), this.#o.timeZone);
      const t = new Date(ms + offset * 1000);
      const f = this.#fields;
      const parts = [];
      const add = (type, value) => parts.push({ type, value: String(value) });
      const lit = value => add('literal', value);
      const y = t.getUTCFullYear();
      const year = () => add('year', f.year === '2-digit' ? two(((y % 100) + 100) % 100) : y > 0 ? y : 1 - y);
      const day = () => add('day', f.day === '2-digit' ? two(t.getUTCDate()) : t.getUTCDate());
      const textMonth = ['long', 'short', 'narrow'].includes(f.month);
      const month = () => {
        const m = t.getUTCMonth();
        add('month', f.month === 'long' ? months[m] : f.month === 'short' ? months[m].slice(0, 3) : f.month === 'narrow' ? months[m][0] : f.month === '2-digit' ? two(m + 1) : m + 1);
      };
      const weekday = () => {
        const d = days[t.getUTCDay()];
        add('weekday', f.weekday === 'long' ? d : f.weekday === 'short' ? d.slice(0, 3) : d[0]);
      };
      const hasDate = dateFields.some(k => f[k] !== undefined);
      if (f.weekday !== undefined) {
        weekday();
        if (f.month !== undefined) lit(', ');
      }
      if (f.month !== undefined) {
        month();
        if (textMonth) {
          if (f.day !== undefined) { lit(' '); day(); }
          if (f.year !== undefined) { lit(f.day !== undefined ? ', ' : ' '); year(); }
        } else {
          if (f.day !== undefined) { lit('/'); day(); }
          if (f.year !== undefined) { lit('/'); year(); }
        }
      } else if (f.year !== undefined) {
        year();
      } else if (f.day !== undefined) {
        day();
      }
      if (f.hour === undefined && f.second !== undefined) {
        if (f.minute !== undefined) { add('minute', two(t.getUTCMinutes())); lit(':'); }
        add('second', f.minute !== undefined || f.second === '2-digit' ? two(t.getUTCSeconds()) : t.getUTCSeconds());
      }
      if (f.hour !== undefined) {
        if (hasDate) lit(f.month === undefined && f.weekday !== undefined ? ' ' : f.month === 'long' ? ' at ' : ', ');
        const h = t.getUTCHours();
        const shown = { h11: h % 12, h12: h % 12 || 12, h23: h, h24: h || 24 }[this.#o.hourCycle];
        add('hour', f.hour === '2-digit' || !this.#o.hour12 ? two(shown) : shown);
        if (f.minute !== undefined) { lit(':'); add('minute', two(t.getUTCMinutes())); }
        if (f.second !== undefined) { lit(':'); add('second', two(t.getUTCSeconds())); }
        if (f.fractionalSecondDigits !== undefined) {
          lit('.');
          add('fractionalSecond', String(t.getUTCMilliseconds()).padStart(3, '0').slice(0, f.fractionalSecondDigits));
        }
        if (this.#o.hour12) { lit(' '); add('dayPeriod', h < 12 ? 'AM' : 'PM'); }
      }
      if (f.timeZoneName !== undefined) {
        if (f.hour === undefined) lit(', '); else lit(' ');
        const a = Math.abs(offset);
        const [hh, mm] = [Math.floor(a / 3600), Math.floor(a % 3600 / 60)];
        const gmt = f.timeZoneName === 'longOffset' ? 'GMT' + (offset ? (offset < 0 ? '-' : '+') + two(hh) + ':' + two(mm) : '')
          : 'GMT' + (offset ? (offset < 0 ? '-' : '+') + hh + (mm ? ':' + two(mm) : '') : '');
        const known = ['UTC', 'EST', 'EDT', 'CST', 'CDT', 'MST', 'MDT', 'PST', 'PDT', 'AKST', 'AKDT', 'HST'].includes(name) && (name === 'UTC' || this.#o.timeZone.startsWith('America/') || this.#o.timeZone.startsWith('US/') || this.#o.timeZone === 'Pacific/Honolulu');
        add('timeZoneName', f.timeZoneName === 'short' && known ? name : gmt);
      }
      return parts;
    }
  }

  class Collator {
    #o;
    constructor(locales, options = {}) {
      this.#o = { locale: locale(locales), usage: pick(options, 'usage', ['sort', 'search'], 'sort'), sensitivity: pick(options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant'),
        ignorePunctuation: !!options.ignorePunctuation, collation: 'default', numeric: !!options.numeric, caseFirst: pick(options, 'caseFirst', ['upper', 'lower', 'false'], 'false') };
      if (this.#o.ignorePunctuation) refuse('ignorePunctuation');
      if (this.#o.caseFirst !== 'false') refuse('caseFirst');
      if (this.#o.sensitivity === 'case') refuse('the sensitivity case');
    }
    resolvedOptions() { return { ...this.#o }; }
    get compare() { return (a, b) => host.collate(String(a), String(b), this.#o.sensitivity, this.#o.numeric); }
  }

  class PluralRules {
    #o;
    constructor(locales, options = {}) {
      this.#o = { locale: locale(locales), type: pick(options, 'type', ['cardinal', 'ordinal'], 'cardinal') };
    }
    resolvedOptions() { return { ...this.#o, pluralCategories: this.#o.type === 'cardinal' ? ['one', 'other'] : ['few', 'one', 'two', 'other'] }; }
    select(n) {
      const x = Number(n);
      if (this.#o.type === 'cardinal') return Math.abs(x) === 1 ? 'one' : 'other';
      const [a, b] = [x % 10, x % 100];
      return a === 1 && b !== 11 ? 'one' : a === 2 && b !== 12 ? 'two' : a === 3 && b !== 13 ? 'few' : 'other';
    }
  }

  class ListFormat {
    #o;
    constructor(locales, options = {}) {
      this.#o = { locale: locale(locales), type: pick(options, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction'), style: pick(options, 'style', ['long', 'short', 'narrow'], 'long') };
      if (this.#o.style !== 'long' || this.#o.type === 'unit') refuse(`a list of type ${this.#o.type} and style ${this.#o.style}`);
    }
    resolvedOptions() { return { ...this.#o }; }
    format(list) {
      const items = [...list];
      for (const i of items) if (typeof i !== 'string') throw new TypeError('Iterable yielded ' + String(i) + ' which is not a string');
      const word = this.#o.type === 'conjunction' ? 'and' : 'or';
      if (items.length < 2) return items.join('');
      if (items.length === 2) return items.join(` ${word} `);
      return items.slice(0, -1).join(', ') + `, ${word} ` + items.at(-1);
    }
  }

  const Intl = {};
  Object.defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
  const lacking = name => {
    const f = { [name]: class { constructor() { refuse('Intl.' + name); } } }[name];
    f.supportedLocalesOf = () => [];
    return f;
  };
  // NumberFormat, DateTimeFormat and Collator may be called without new, as in browsers.
  const callable = C => {
    const F = { [C.name]: function (locales, options) { return new C(locales, options); } }[C.name];
    F.prototype = C.prototype;
    Object.defineProperty(C.prototype, 'constructor', { value: F, writable: true, configurable: true });
    return F;
  };
  const known = { NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator: callable(Collator), PluralRules, ListFormat };
  for (const [name, C] of Object.entries(known)) {
    Object.defineProperty(C.prototype, Symbol.toStringTag, { value: 'Intl.' + name, configurable: true });
    define(C, { supportedLocalesOf(list) { return [list ?? []].flat().filter(l => /^en(-us)?$/i.test(l)); } });
  }
  define(Intl, known);
  for (const name of ['RelativeTimeFormat', 'DisplayNames', 'Segmenter', 'Locale', 'DurationFormat']) define(Intl, { [name]: lacking(name) });
  define(Intl, {
    getCanonicalLocales(list) { return [list ?? []].flat().map(l => String(l)).map(l => l.split('-').map((p, i) => i === 0 ? p.toLowerCase() : p.length === 2 ? p.toUpperCase() : p.length === 4 ? p[0].toUpperCase() + p.slice(1).toLowerCase() : p).join('-')); },
    supportedValuesOf(key) { return refuse('Intl.supportedValuesOf'); },
  });
  return {
    Intl,
    number: (value, locales, options) => new NumberFormat(locales, options).format(value),
    date: (value, locales, options, required, defaults) => {
      if (Number.isNaN(value.getTime())) return 'Invalid Date';
      return new DateTimeFormat(locales, options, required, defaults).format(value);
    },
    compare: (a, b, locales, options) => new Collator(locales, options ?? {}).compare(a, b),
  };
})
