package gate
import ("testing";"time";"slices";"github.com/pomerado-go/pomerado/supervisor/chromium")
func TestZZ(t *testing.T){
 site:=newSite(t,map[string]string{"/":`<title>x</title>`})
 res:=map[string][]time.Duration{}
 for i:=0;i<12;i++{ for _,f:=range []string{"on","off"}{
  var args []string
  if f=="on" {args=[]string{"--site-per-process"}}
  found,_:=chromium.Find(chromium.FindOptions{})
  s:=time.Now()
  b,err:=chromium.Launch(t.Context(),chromium.LaunchOptions{Found:found,ExtraArgs:args}); if err!=nil{t.Fatal(err)}
  res[f+" launch"]=append(res[f+" launch"],time.Since(s))
  g,_:=New(t.Context(),b.Transport(),Options{})
  r,_:=g.Open(t.Context(),RunOptions{}); p,_:=r.NewPage(t.Context(),r.ContextID())
  s=time.Now()
  goTo(t,r,p.SessionID,site.URL+"/")
  res[f+" nav"]=append(res[f+" nav"],time.Since(s))
  b.Close();g.Close()
 }}
 for k,v:=range res{slices.Sort(v); t.Log(k,v[len(v)/2],v[0])}
}
